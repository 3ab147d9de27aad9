"""Named peers doing the same work, each in a process and an environment of its own."""
