"""The real runtime under chance: a loop that a seed drives, a record that fails, two workers."""
