"""`python -m comal_bot` is the command `comal`."""

from comal_bot.cli import main

if __name__ == "__main__":
    main()
