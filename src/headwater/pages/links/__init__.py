"""Find the links of a page: rules by element, regions, navigation, and which links are followed."""
