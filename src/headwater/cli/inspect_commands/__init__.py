"""Commands that explain a rule, a file, a setting or the installation, without scanning."""
