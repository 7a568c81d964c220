/**
 * The profile `observability` of docker-compose.yml: who reaches whom, what is published, and that
 * the files in deploy/observability/ name the same services, ports and plugin. That the servers
 * take these files is tested in the lane `otel`.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadCollectorConfig } from '../../collector/config/config.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { compose, fill, read, root, type Service } from './compose-file.ts';
import { composeCommands } from './compose-init.ts';

const directory = temporaryDirectory();
const { init: composeInit } = composeCommands(directory);
const services = Object.entries(compose.services);
const profile = services.filter(([, { profiles = [] }]) => profiles.includes('observability'));

function service(name: string): Service {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`There is no service ${name}`);
  return found;
}

describe('the profile observability', () => {
  it('is the five servers, and nothing of it runs without the profile', () => {
    const names = profile.map(([name]) => name);
    expect(names.sort()).toEqual(['grafana', 'loki', 'otel-collector', 'prometheus', 'tempo']);
    for (const [, { profiles }] of profile) expect(profiles).toEqual(['observability']);
  });

  it('publishes Grafana alone, on loopback', () => {
    const published = profile.flatMap(([, { ports = [] }]) => ports);
    expect(published).toEqual(['127.0.0.1:3000:3000']);
  });

  it('lets only those talk who must, and only Grafana and the ledger go out', () => {
    const members = (network: string): readonly string[] =>
      services.filter(([, { networks }]) => networks.includes(network)).map(([name]) => name);
    const gateways = ['gateway-1', 'gateway-2'];
    expect(members('otlp')).toEqual(['collector', 'otel-collector', ...gateways, 'worker']);
    expect(members('grafana')).toEqual(['collector', 'grafana']);
    expect(members('telemetry').toSorted()).toEqual(profile.map(([name]) => name).toSorted());
    const { otlp, telemetry, grafana } = compose.networks;
    expect([otlp, telemetry, grafana]).toEqual([{ internal: true }, { internal: true }, null]);
  });

  it('answers to the name by which Grafana asks', async () => {
    const hosts = (PI_LEDGER_HOSTS: string): readonly string[] =>
      loadCollectorConfig({
        PI_LEDGER_HOME: directory,
        PI_LEDGER_HOSTS: fill(service('collector').environment?.PI_LEDGER_HOSTS ?? '', {
          PI_LEDGER_HOSTS,
        }),
      }).hosts;
    expect(hosts('')).toEqual(['localhost', 'collector']);
    expect(hosts('ledger.example')).toEqual(['ledger.example', 'collector']);
  });

  it('sends nowhere before compose-init says where, and then to its own collector', async () => {
    const endpoint = service('collector').environment?.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
    expect(fill(endpoint, (await composeInit()).variables)).toBe('');
    const { variables } = await composeInit('--observability');
    const { receivers } = parse(read('deploy/observability/otel-collector.yaml'));
    const { hostname, port } = new URL(fill(endpoint, variables));
    expect(service(hostname)).toBe(service('otel-collector'));
    expect(receivers.otlp.protocols.http.endpoint).toBe(`0.0.0.0:${port}`);
  });

  it('has all that tell of themselves send to the same places, as the recipes set', () => {
    const telemetryOf = (name: string) =>
      Object.entries(service(name).environment ?? {}).filter(([key]) => key.startsWith('OTEL_'));
    for (const name of ['worker', 'gateway-1', 'gateway-2'])
      expect(telemetryOf(name)).toEqual(telemetryOf('collector'));
    const [, recipes = ''] = read('docs/observability.md').split('\n## Recipes\n');
    const named = [...recipes.matchAll(/\b(OTEL_[A-Z_]+)=/g)].map(([, name]) => String(name));
    expect(named).toContain('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
    expect(telemetryOf('collector').map(([name]) => name)).toEqual(
      expect.arrayContaining([...new Set(named)]),
    );
  });

  it.each([
    ['a password', { GRAFANA_TOKEN: 'pil_x' }, 'compose-init --observability'],
    ['a token', { GF_SECURITY_ADMIN_PASSWORD: 'x' }, 'docs/observability.md'],
  ])('starts no Grafana without %s', (_, env, hint) => {
    const [command = '', ...argv] = service('grafana').entrypoint ?? [];
    const unescaped = argv.map((word) => word.replaceAll('$$', '$'));
    const { status, stderr } = spawnSync(command, unescaped, { env, encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toContain(hint);
    expect(stderr).not.toContain('/run.sh');
  });

  it('names services and ports that are there', () => {
    const files = readdirSync(join(root, 'deploy/observability'), { recursive: true })
      .map(String)
      .filter((name) => /\.ya?ml$/.test(name));
    expect(files.length).toBeGreaterThan(5);
    const named = files
      .flatMap((name) => [
        ...read(`deploy/observability/${name}`).matchAll(/(?:\/\/|")([a-z][a-z-]+):(\d{4,5})\b/g),
      ])
      .map(([, host = '', port = '']) => `${host}:${port}`);
    const listening = [
      'collector:7717',
      'loki:3100',
      'otel-collector:8888',
      'otel-collector:8889',
      'prometheus:9090',
      'tempo:3200',
      'tempo:4318',
    ];
    expect([...new Set(named)].toSorted()).toEqual(listening);
    for (const address of listening) service(address.split(':')[0] ?? '');
    expect(read('deploy/observability/tempo.yaml')).toMatch(/http_listen_port: 3200.*:4318"/s);
    expect(read('deploy/observability/loki.yaml')).toContain('http_listen_port: 3100');
  });

  it('refuses before the container is killed, and keeps a page for longer than a minute', () => {
    const { processors, exporters } = parse(read('deploy/observability/otel-collector.yaml'));
    const limitMib = Number.parseInt(service('otel-collector').mem_limit ?? '', 10);
    expect(processors.memory_limiter.limit_mib).toBeLessThanOrEqual(0.8 * limitMib);
    expect(exporters.prometheus.metric_expiration).toBe('5m');
  });

  it('keeps traces and logs as long as docs/observability.md says', () => {
    const { limits_config: limits } = parse(read('deploy/observability/loki.yaml'));
    const { backend_worker: worker } = parse(read('deploy/observability/tempo.yaml'));
    const kept = [limits.retention_period, limits.reject_old_samples_max_age];
    expect([...kept, worker.compaction.block_retention]).toEqual(['720h', '720h', '720h']);
    const page = read('docs/observability.md');
    expect(page).toContain('Metrics stay for 400 days, traces and logs for 30');
    expect(service('prometheus').command).toContain('--storage.tsdb.retention.time=400d');
  });

  it('has the plugin, pinned, of the datasource that asks the ledger with the token', () => {
    const { datasources } = parse(read('deploy/observability/grafana/datasources/pi-ledger.yaml'));
    const types = datasources.map(({ type }: { type: string }) => type);
    expect(types).toEqual(['prometheus', 'tempo', 'loki', 'yesoreyeram-infinity-datasource']);
    const { environment = {} } = service('grafana');
    expect(environment.GF_PLUGINS_PREINSTALL_SYNC).toMatch(
      new RegExp(`^${types.at(-1)}@\\d+\\.\\d+\\.\\d+$`),
    );
    expect(datasources.at(-1).secureJsonData).toEqual({ bearerToken: '$GRAFANA_TOKEN' });
    expect(datasources.at(-1).jsonData.allowedHosts).toEqual([datasources.at(-1).url]);
  });

  it('leads from a trace to its log records, and back', () => {
    const { datasources } = parse(read('deploy/observability/grafana/datasources/pi-ledger.yaml'));
    const [, tempo, loki] = datasources;
    expect(tempo.jsonData.tracesToLogsV2).toMatchObject({
      ...{ datasourceUid: loki.uid, filterByTraceID: true },
      ...{ spanStartTimeShift: '-1m', spanEndTimeShift: '1m' },
    });
    expect(loki.jsonData.derivedFields).toMatchObject([
      { matcherRegex: 'trace_id', datasourceUid: tempo.uid, url: '$${__value.raw}' },
    ]);
  });

  it('finds in Grafana what is mounted there', () => {
    const targets = (service('grafana').volumes ?? []).flatMap((volume) =>
      typeof volume === 'string' ? [] : [volume.target],
    );
    const { providers } = parse(read('deploy/observability/grafana/dashboards/pi-ledger.yaml'));
    expect(targets).toContain(providers[0].options.path);
    expect(targets).toContain('/etc/grafana/provisioning');
  });
});
