"""Many sites on one machine: side by side, in several processes, each with its fair part."""
