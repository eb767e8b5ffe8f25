#!/usr/bin/env bash
# Builds the wheel, installs it with exact versions of all else into a venv, and runs the tests of Spark and Ray.
# Needs Java 17, Python 3.10 or later, and the built command (npm run build). Arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")"
version=$("${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' || true)
if [ "${version:-0}" -lt 17 ]; then
  echo "expected Java 17 or later for Spark; got ${version:-none}: on Debian, apt-get install openjdk-17-jre-headless" >&2
  exit 1
fi
venv=${HALFSPACE_VENV:-.venv}
if ! cmp -s requirements.lock "$venv/installed.lock"; then
  rm -rf "$venv"
  "${PYTHON:-python3}" -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement requirements.lock
  cp requirements.lock "$venv/installed.lock"
fi
"$venv/bin/ruff" check --quiet .
"$venv/bin/ruff" format --check --quiet .
"$venv/bin/mypy" --no-error-summary
rm -rf dist
"$venv/bin/python" -m build --wheel --no-isolation . > /dev/null
"$venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps dist/*.whl
unset PYTHONPATH
exec "$venv/bin/python" -m pytest "$@"
