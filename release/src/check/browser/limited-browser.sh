#!/bin/sh
# Starts the browser that BROWSER names with an empty environment, without core dumps, and with at most 3 GB of data per process.
ulimit -c 0
ulimit -d 3000000
exec /usr/bin/env -i "$BROWSER" "$@"
