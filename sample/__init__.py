"""The bundled sample site: a small but real one, with everything a site can get wrong."""
