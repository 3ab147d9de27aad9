"""Ways people reach the host."""
