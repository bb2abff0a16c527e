"""`headwater` and `python -m headwater`: Ctrl-C is answered from the first moment, while modules are still read."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from headwater.cli.main import main as run  # noqa: PLC0415  (what takes long to read may be interrupted)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
