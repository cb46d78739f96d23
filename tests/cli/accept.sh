#!/usr/bin/env bash
# Shows how the program's outputs differ from the stored ones, and stores them: read the difference,
# then commit it with the change that made it.
#   tests/cli/accept.sh [PROGRAM]
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
exec "$here/approve.sh" "${1:-$here/../../build/release/cli/ringlab}" --accept
