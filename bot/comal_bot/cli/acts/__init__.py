"""`comal acts`: what was done, and settling what nobody knows the outcome of."""
