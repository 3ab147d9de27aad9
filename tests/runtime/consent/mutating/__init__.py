"""Random changes of what was shown: whatever differs from it does not run."""
