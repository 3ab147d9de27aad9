"""`comal people`: who is known, who owns the house, and which roles people were given."""
