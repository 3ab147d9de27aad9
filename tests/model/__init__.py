"""A small model of consent: the table of its transitions, and every interleaving of two workers."""
