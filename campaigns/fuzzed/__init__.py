"""What is fuzzed: readers with files they can read, commands with lines they can run."""
