"""Headwater for language models that speak the Model Context Protocol: the same guard, the same limits."""
