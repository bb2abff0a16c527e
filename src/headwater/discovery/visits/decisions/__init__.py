"""Decisions that parallel visits share, made so that they do not depend on the order of responses."""
