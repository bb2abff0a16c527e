"""Entry point of `headwater` and `python -m headwater`; handles Ctrl-C even while modules are being imported."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from headwater.cli.main import main as run  # noqa: PLC0415  (so that Ctrl-C during a slow import is caught)
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
