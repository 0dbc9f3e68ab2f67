#!/usr/bin/env bash
# Run a command without any network: in a network namespace of its own where the system allows one; elsewhere the
# test suite refuses sockets inside the process (tests/conftest.py).
set -eu
if unshare --net true 2>/dev/null; then
  exec unshare --net -- env ALMANAC_TEST_OFFLINE=namespace "$@"
elif unshare --map-root-user --net true 2>/dev/null; then
  exec unshare --map-root-user --net -- env ALMANAC_TEST_OFFLINE=namespace "$@"
else
  echo "No network namespace here: sockets are refused inside the test process instead." >&2
  exec "$@"
fi
