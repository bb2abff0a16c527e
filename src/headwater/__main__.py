"""Entry point of `headwater` and `python -m headwater`; Ctrl-C works even while modules are being imported."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from headwater.cli.main import main as run  # noqa: PLC0415  (the import takes long and may be interrupted)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
