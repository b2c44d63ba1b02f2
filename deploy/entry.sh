#!/bin/sh
# Starts a program of Ewebal in its container. Each file of /run/secrets is a setting of its name: environment variables are shown by
# `docker inspect`, files are not.
set -eu
for file in /run/secrets/*; do
  [ -f "$file" ] || continue
  export "$(basename "$file")=$(cat "$file")"
done
exec node --import ./tools/require-node.mjs "$@"
