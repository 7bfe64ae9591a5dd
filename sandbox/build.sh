#!/usr/bin/env bash
# From a bare machine to an engine that answers and the three sandbox images (python, cpp, swe). Prints the engine's
# address, the only line on stdout:
#
#   export DOCKER_HOST=$(bash sandbox/build.sh)
#
# Idempotent: with a running engine and images of this recipe it takes about a second.
#
# SANDBOX_FROM     packages: bootstrap from the distribution's packages, no registry needed (Debian, root)
#                  registry: build the Dockerfiles, which start from a public image
#                  auto (default): packages where that can work, else registry
# SANDBOX_STATE    data and socket of a private engine (/var/lib/sandbox-docker), used only where none answers
# SANDBOX_PREFIX   first part of the images' names (autointeract)
# SANDBOX_SOURCES  apt sources of the bootstrap; default: the host's own
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
state=${SANDBOX_STATE:-/var/lib/sandbox-docker}
prefix=${SANDBOX_PREFIX:-autointeract}
from=${SANDBOX_FROM:-auto}
packages=python3,python3-numpy,python3-pytest,git,g++,patch
recipe=1 # raise when anything below that shapes the image changes

log() { printf '[sandbox] %s\n' "$*" >&2; }
die() { log "ERROR: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
answers() { have docker && docker version >/dev/null 2>&1; }

install() { # Debian packages, only those missing, without starting services of theirs
  [ "$(id -u)" = 0 ] && have apt-get || die "needs $*: install it (apt-get install $*)"
  log "installing $*"
  local policy=/usr/sbin/policy-rc.d made=
  if [ ! -e $policy ]; then printf '#!/bin/sh\nexit 101\n' >$policy; chmod +x $policy; made=1; fi
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@"; } \
    >"$state/apt.log" 2>&1 || { tail -20 "$state/apt.log" >&2; die "apt-get install $* failed"; }
  if [ -n "$made" ]; then rm -f $policy; fi
}

# --- 1. an engine -----------------------------------------------------------------------------------------------------
if answers; then
  host=${DOCKER_HOST:-unix:///var/run/docker.sock}
else
  [ "$(id -u)" = 0 ] || die "no Docker engine answers, and only root can start one"
  mkdir -p "$state"
  exec 9>"$state/lock"
  flock 9 # two callers at once must not start two
  host=unix://$state/docker.sock
  export DOCKER_HOST=$host
  have dockerd || install docker.io
  if ! answers; then
    log "starting dockerd"
    rm -f "$state/dockerd.pid"
    # Sandboxes have no network, so the engine needs neither a bridge nor iptables. 9>&-: it must not hold our lock.
    setsid dockerd --data-root "$state/data" --exec-root "$state/exec" --pidfile "$state/dockerd.pid" -H "$host" \
      --bridge=none --iptables=false --ip-forward=false --ip-masq=false --log-driver=none --log-level=warn \
      >"$state/dockerd.log" 2>&1 </dev/null 9>&- &
    daemon=$!
    for _ in $(seq 1 150); do
      answers && break
      kill -0 "$daemon" 2>/dev/null || { tail -20 "$state/dockerd.log" >&2; die "dockerd exited"; }
      sleep 0.2
    done
    answers || { tail -20 "$state/dockerd.log" >&2; die "dockerd not up in 30 s"; }
  fi
  exec 9>&-
fi
export DOCKER_HOST=$host

# --- 2. the images ----------------------------------------------------------------------------------------------------
key=$( (printf '%s\n' "$recipe" "$packages" "$from"; cat "$here"/{python,cpp,swe}/Dockerfile) | sha256sum | cut -c1-12)
missing=
for name in python cpp swe; do
  docker image inspect "$prefix-$name:$key" >/dev/null 2>&1 || missing=1
done
if [ -n "$missing" ]; then
  mkdir -p "$state" 2>/dev/null || state=$(mktemp -d)
  exec 8>"$state/images.lock"
  flock 8
  if [ "$from" = auto ]; then
    if [ "$(id -u)" = 0 ] && have apt-get && grep -q '^ID=debian' /etc/os-release; then from=packages; else from=registry; fi
  fi
  if [ "$from" = registry ]; then
    for name in python cpp swe; do
      log "building $prefix-$name from a public image"
      DOCKER_BUILDKIT=0 docker build -q -t "$prefix-$name:$key" "$here/$name" >&2
    done
  else
    have mmdebstrap || install mmdebstrap
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    sources=${SANDBOX_SOURCES:-$(find /etc/apt/sources.list.d -name '*.sources' 2>/dev/null | sort | head -1)}
    sources=${sources:-/etc/apt/sources.list}
    # dpkg syncs every file: minutes on a slow disk, nothing on tmpfs.
    room=$(df --output=avail -k /dev/shm 2>/dev/null | tail -1 || echo 0)
    memory=$(awk '/MemAvailable/{print $2}' /proc/meminfo)
    work=$state
    if [ "${room:-0}" -gt 2500000 ] && [ "$memory" -gt 4000000 ]; then work=/dev/shm; fi
    work=$(mktemp -d "$work/sandbox-image.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    log "bootstrapping $packages"
    TMPDIR=$work SOURCE_DATE_EPOCH=1700000000 mmdebstrap --quiet --mode=root --variant=essential \
      --include="$packages" --aptopt='APT::Install-Recommends "false"' --dpkgopt=force-unsafe-io \
      --customize-hook='cd "$1" && rm -rf usr/share/doc/* usr/share/man/* usr/share/locale/* usr/share/info/* var/log/* var/cache/*' \
      --customize-hook='cd "$1" && rm -f etc/resolv.conf etc/hostname && echo sandbox >etc/hostname' \
      --customize-hook='cd "$1" && ln -s python3 usr/bin/python && mkdir -p judge testbed && chmod 0755 judge && chmod 0777 testbed' \
      "$suite" "$work/rootfs.tar" "$sources" >"$state/mmdebstrap.log" 2>&1 8>&- \
      || { tail -30 "$state/mmdebstrap.log" >&2; die "mmdebstrap failed"; }
    log "importing ($(du -m "$work/rootfs.tar" | cut -f1) MB)"
    # One file system serves all three: their layers are the same, so the two others cost nothing.
    docker import -c 'ENV PATH=/usr/local/bin:/usr/bin:/bin' -c 'ENV LANG=C.UTF-8' -c 'WORKDIR /testbed' \
      -c 'USER 65534:65534' "$work/rootfs.tar" "$prefix-python:$key" >/dev/null
    docker tag "$prefix-python:$key" "$prefix-cpp:$key"
    docker tag "$prefix-python:$key" "$prefix-swe:$key"
  fi
fi
for name in python cpp swe; do docker tag "$prefix-$name:$key" "$prefix-$name:latest"; done

# --- 3. does it hold? -------------------------------------------------------------------------------------------------
if [ -n "$missing" ]; then
  docker run --rm --network none --read-only --cap-drop ALL --security-opt no-new-privileges --pids-limit 64 \
    --memory 512m --memory-swap 512m --tmpfs /tmp:rw,exec,nosuid,nodev,size=64m,mode=1777 -e HOME=/tmp -w /tmp \
    --user 65534:65534 "$prefix-swe:latest" sh -ec '
      git init -q r; python3 -c "import numpy"
      printf "def test_a():\n    assert 1\n" >test_a.py; python3 -m pytest -q -p no:cacheprovider test_a.py >/dev/null
      printf "#include <iostream>\nint main(){std::cout<<42;}" >a.cc; g++ -O1 a.cc -o a; [ "$(./a)" = 42 ]
      ! touch /nope 2>/dev/null; [ "$(id -u)" = 65534 ]' >&2 || die "the images do not pass their smoke test"
fi
log "ready: $prefix-{python,cpp,swe}:$key at $host"
echo "$host"
