"""`python -m slant` is `slant`."""

from slant.cli import main

if __name__ == "__main__":
    main()
