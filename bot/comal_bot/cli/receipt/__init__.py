"""`comal receipt`: signed accounts of how questions ended, shown and verified."""
