#!/usr/bin/env bash
# usage: setup.sh DIRECTORY
# Builds a MongoDB-compatible server: DIRECTORY/ferretdb (the gateway, in Go) and DIRECTORY/tree (PostgreSQL 18 with the DocumentDB extension, from Debian forky).
# Built beside and renamed when complete, so that what stands at DIRECTORY can be used. Needs root (chroot), Go and apt.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); final=$1; root=$final.building.$$; tree=$root/tree
mkdir -p "$root"; export DEBIAN_FRONTEND=noninteractive
# A folder for temporary files out here is none in the tree, and its packages' scripts would fail.
unset TMPDIR
is_mounted=
cleanup() { tail -n 20 "$root"/*.log >&2 || true; [ -z "$is_mounted" ] || umount "$tree/proc" || true; rm -rf --one-file-system "$root"; }
trap cleanup EXIT
(cd "$here" && CGO_ENABLED=0 go build -mod=mod -trimpath -ldflags '-s -w' -o "$root/ferretdb" github.com/FerretDB/FerretDB/v2/cmd/ferretdb) >"$root/go.log" 2>&1 & gateway=$!
command -v debootstrap >/dev/null || { apt-get update -qq; apt-get install -y -qq debootstrap; } >/dev/null
mirror=$(awk '/^URIs:/{print $2; exit}' /etc/apt/sources.list.d/debian.sources)
debootstrap --variant=minbase forky "$tree" "$mirror" /usr/share/debootstrap/scripts/sid >"$root/debootstrap.log" 2>&1
# No daemon starts, no manual pages, no syncs: only the server's files are wanted.
printf '#!/bin/sh\nexit 101\n' >"$tree/usr/sbin/policy-rc.d"; chmod +x "$tree/usr/sbin/policy-rc.d"
printf 'force-unsafe-io\npath-exclude=/usr/share/doc/*\npath-exclude=/usr/share/man/*\npath-exclude=/usr/share/locale/*\n' >"$tree/etc/dpkg/dpkg.cfg.d/test-server"
mkdir -p "$tree/etc/postgresql-common"; echo 'create_main_cluster = false' >"$tree/etc/postgresql-common/createcluster.conf"
mount -t proc proc "$tree/proc"; is_mounted=yes
chroot "$tree" apt-get install -y -qq --no-install-recommends -o Dpkg::Options::=--force-confold postgresql-18-documentdb >"$root/apt.log" 2>&1
umount "$tree/proc"; is_mounted=
bin=/usr/lib/postgresql/18/bin; as="setpriv --reuid=postgres --regid=postgres --init-groups"
chroot "$tree" sh -c "mkdir -p /data && chown postgres /data && $as $bin/initdb -D /data/template -A trust -E UTF8 --locale=C.UTF-8" >/dev/null
cat >>"$tree/data/template/postgresql.conf" <<'CONF'
listen_addresses='127.0.0.1'
unix_socket_directories='/tmp'
shared_preload_libraries='pg_cron,pg_documentdb_core,pg_documentdb'
cron.database_name='postgres'
max_connections=200
CONF
wait $gateway
mkdir -p "$(dirname "$final")"
mv -T "$root" "$final"
trap - EXIT
