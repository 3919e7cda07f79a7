"""Places elsewhere that keep generations: a folder, an object store, a git branch."""
