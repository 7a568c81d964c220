#!/bin/sh
# From a checkout to Grafana with last quarter's spend: `sh deploy/observability/start.sh [days]`.
#
# Starts the compose file's ledger, imports the sessions of this user, writes what they spent into Prometheus, and only then has the ledger export: what is
# imported later would be in Prometheus twice. A step that is done is not done again, so after a failure call it again. docs/observability.md has the steps
# by hand. PI_LEDGER is the command line to use; PI_LEDGER_URL where the collector is published.
set -eu
cd "$(dirname "$0")/../.."

days=${1:-90}
url=${PI_LEDGER_URL:-http://127.0.0.1:7717}
settings=${PI_LEDGER_HOME:-$HOME/.pi-ledger}/config.json
history=/prometheus/history.txt

case $days in
'' | *[!0-9]*)
  echo "Expected a number of days, got \"$days\"." >&2
  exit 2
  ;;
esac

ledger() { ${PI_LEDGER:-npx @pi-ledger/collector} "$@"; }
in_prometheus() { docker compose exec -T prometheus "$@"; }
is_set() { grep -q "^$1=." .env; }

start_ledger() {
  [ -e .env ] || ledger compose-init > /dev/null
  if ! is_set GRAFANA_TOKEN; then
    token=$(docker compose run --rm -T collector token create --user grafana --scope read)
    printf 'GRAFANA_TOKEN=%s\n' "$token" >> .env
  fi
  docker compose up --detach --wait collector
}

# Agents of this user send there from now on, unless their settings say something else.
connect_user() {
  token=$(docker compose exec -T collector pi-ledger token create --user "$(id -un)" \
    --scope ingest --scope read --only-own --expires 365d)
  if [ -e "$settings" ]; then
    echo "$settings is left alone. To send there, add: \"url\": \"$url\", \"token\": \"$token\"" >&2
    return
  fi
  mkdir -p -m 700 "$(dirname "$settings")"
  (umask 077 && printf '{ "url": "%s", "token": "%s" }\n' "$url" "$token" > "$settings")
  echo "$settings says where agents send."
}

# With a token of its own: settings that were there before may name another ledger, or none.
import_sessions() {
  PI_LEDGER_URL=$url PI_LEDGER_TOKEN=$token ledger import ||
    echo "Not everything was imported, as said above. The rest goes on." >&2
}

write_history() {
  docker compose --profile observability up --detach --wait prometheus
  docker compose exec -T collector pi-ledger export-openmetrics --since "${days}d" --until yesterday |
    in_prometheus sh -c "cat > $history"
  in_prometheus promtool tsdb create-blocks-from --max-block-duration=720h openmetrics $history /prometheus
  in_prometheus rm $history
}

start_ledger
if is_set OTEL_EXPORTER_OTLP_ENDPOINT; then
  echo "The ledger exports already: no history is written."
else
  connect_user
  import_sessions
  write_history
  ledger compose-init --observability > /dev/null
fi
docker compose --profile observability up --detach
echo "Grafana: http://127.0.0.1:3000, user admin, GRAFANA_ADMIN_PASSWORD in .env. Today's spend from before now is in its tables alone."
