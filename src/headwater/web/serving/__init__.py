"""The parts that every feature of the web server uses: access, parameters, templates, problems, OpenAPI."""
