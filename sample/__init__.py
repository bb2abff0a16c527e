"""The bundled sample site, with typical mistakes of real sites."""
