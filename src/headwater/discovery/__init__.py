"""The stages that find pages, and the loop they share."""
