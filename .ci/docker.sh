#!/usr/bin/env bash
# Makes sure a Docker engine answers and prints its address, the only line on stdout:
#
#   export DOCKER_HOST=$(bash .ci/docker.sh)
#
# An engine that answers is taken as it is. Otherwise (as root, dockerd installed) a private one is started, with no
# bridge and no iptables: sandboxes run with network=none and need neither. It outlives this script.
set -euo pipefail

state=${SANDBOX_STATE:-/var/lib/sandbox-docker}
sock=$state/docker.sock

log() { printf '[docker] %s\n' "$*" >&2; }
answers() { docker version >/dev/null 2>&1; }
fail() { log "ERROR: $*"; tail -20 "$state/dockerd.log" >&2 || true; exit 1; }

if answers; then
  echo "${DOCKER_HOST:-unix:///var/run/docker.sock}"
  exit 0
fi

[ "$(id -u)" = 0 ] || { log "ERROR: no engine answers, and only root can start one"; exit 1; }
mkdir -p "$state"
exec 9>"$state/lock"
flock 9
export DOCKER_HOST=unix://$sock
if ! answers; then
  log "starting dockerd"
  rm -f "$state/dockerd.pid"
  setsid dockerd --data-root "$state/data" --exec-root "$state/exec" --pidfile "$state/dockerd.pid" \
    -H "$DOCKER_HOST" --bridge=none --iptables=false --ip-forward=false --ip-masq=false \
    --storage-driver=overlay2 --log-driver=none --log-level=warn \
    >"$state/dockerd.log" 2>&1 </dev/null 9>&- &
  daemon=$!
  for _ in $(seq 1 150); do # 30 s
    answers && break
    kill -0 "$daemon" 2>/dev/null || fail "dockerd exited"
    sleep 0.2
  done
  answers || fail "dockerd not up in 30 s"
fi
echo "$DOCKER_HOST"
