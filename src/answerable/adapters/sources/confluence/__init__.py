"""Pages of a Confluence site, Cloud or Data Center."""
