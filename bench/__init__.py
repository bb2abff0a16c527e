"""Speed, side by side with peers on the same machine in the same run; never part of the tests."""
