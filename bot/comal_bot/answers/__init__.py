"""What a pressed button does: one file a choice, each of which says who may press it."""
