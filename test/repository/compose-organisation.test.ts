/**
 * The profile `organisation` of docker-compose.yml: who reaches whom, what is published, and that
 * names, users and passwords of its parts are the same. That its commands and settings work is
 * tested in the lane `kafka`.
 */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../collector/config/config.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { compose, fill, read, type Service } from './compose-file.ts';
import { composeCommands } from './compose-init.ts';

const directory = temporaryDirectory();
const { init: composeInit } = composeCommands(directory);
const services = Object.entries(compose.services);
const profile = services.filter(([, { profiles = [] }]) => profiles.includes('organisation'));
const ledgers = ['collector', 'gateway-1', 'gateway-2', 'worker'];

function service(name: string): Service {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`There is no service ${name}`);
  return found;
}

/** As its process reads them. */
function settingsOf(name: string, variables: Readonly<Record<string, string>>) {
  const given = Object.entries(service(name).environment ?? {});
  return loadCollectorConfig({
    PI_LEDGER_HOME: directory,
    ...Object.fromEntries(given.map(([key, value]) => [key, fill(value, variables)])),
  });
}

describe('the profile organisation', () => {
  it('is two gateways, a second worker and Kafka, and nothing of it runs without it', () => {
    const names = profile.map(([name]) => name).toSorted();
    expect(names).toEqual(['gateway-1', 'gateway-2', 'kafka', 'worker']);
    for (const [, { profiles }] of profile) expect(profiles).toEqual(['organisation']);
  });

  it('makes the collector the first worker, and without it leaves it as it is', async () => {
    const roles = (variables: Readonly<Record<string, string>>): readonly string[] =>
      ledgers.map((name) => settingsOf(name, variables).role);
    const { variables } = await composeInit('--organisation');
    expect(roles(variables)).toEqual(['worker', 'gateway', 'gateway', 'worker']);
    const plain = settingsOf('collector', (await composeInit()).variables);
    expect({ role: plain.role, kafka: plain.kafka }).toEqual({ role: 'all', kafka: null });
  });

  it('starts no gateway and no worker without brokers', async () => {
    const { variables } = await composeInit();
    for (const name of ledgers.slice(1))
      expect(() => settingsOf(name, variables)).toThrow(/needs "kafka"/);
  });

  it('gives all of them one database, and the name, address and password of Kafka', async () => {
    const { variables } = await composeInit('--organisation');
    const script = service('kafka').entrypoint?.at(-1) ?? '';
    for (const name of ledgers) {
      const { store, kafka } = settingsOf(name, variables);
      expect(store.address).toBe(settingsOf('collector', variables).store.address);
      expect(kafka).toEqual({
        brokers: ['kafka:9092'],
        topicPrefix: 'pi-ledger',
        sasl: {
          mechanism: 'scram-sha-512',
          username: 'pi_ledger',
          password: variables.KAFKA_PASSWORD,
        },
        tls: null,
      });
    }
    expect(script).toContain('SCRAM-SHA-512=[name=pi_ledger,password=$$KAFKA_PASSWORD]');
    const properties = read('deploy/kafka/server.properties');
    expect(properties).toContain('advertised.listeners=LEDGER://kafka:9092,');
    expect(properties).toContain('sasl.enabled.mechanisms=SCRAM-SHA-512\n');
  });

  it('starts no Kafka without a password', () => {
    const [command = '', ...argv] = service('kafka').entrypoint ?? [];
    const unescaped = argv.map((word) => word.replaceAll('$$', '$'));
    const { status, stderr } = spawnSync(command, unescaped, { env: {}, encoding: 'utf8' });
    expect(status).not.toBe(0);
    expect(stderr).toContain('compose-init --organisation');
    expect(stderr).not.toContain('/opt/kafka');
  });

  it('lets only the ledger come to Kafka, from a network without a way out', () => {
    const members = services.filter(([, { networks }]) => networks.includes('kafka'));
    expect(members.map(([name]) => name).toSorted()).toEqual([...ledgers, 'kafka'].toSorted());
    expect(compose.networks.kafka).toEqual({ internal: true });
    expect(service('kafka').networks).toEqual(['kafka']);
    // The others are for itself alone, so nobody logs in there.
    const [listeners = ''] = /^listeners=.*$/m.exec(read('deploy/kafka/server.properties')) ?? [];
    const open = [...listeners.matchAll(/([A-Z]+):\/\/(?!127\.0\.0\.1:)/g)].map(([, name]) => name);
    expect(open).toEqual(['LEDGER']);
  });

  it('publishes the gateways on loopback, each at a port of its own, and nothing else', () => {
    const published = profile.flatMap(([, { ports = [] }]) => ports);
    expect(published).toEqual(['127.0.0.1:7718:7717', '127.0.0.1:7719:7717']);
  });

  it('has the proxy send to gateways what agents send, and all else to workers', async () => {
    const { environment = {} } = service('proxy');
    const upstreams = (variables: Readonly<Record<string, string>>): readonly string[] =>
      ['PI_LEDGER_INTAKE', 'PI_LEDGER_UPSTREAM'].map((name) =>
        fill(environment[name] ?? '', variables),
      );
    expect(upstreams({})).toEqual(['collector:7717', 'collector:7717']);
    const { variables } = await composeInit('--organisation');
    const [intake = '', rest = ''] = upstreams(variables);
    const named = [...intake.split(' '), ...rest.split(' ')].map((each) => each.split(':')[0]);
    expect(named.toSorted()).toEqual(ledgers);
    const caddyfile = read('deploy/Caddyfile');
    expect(caddyfile).toContain('@events path /v1/events /v1/proof\n');
    expect(caddyfile).toContain('reverse_proxy @events {$PI_LEDGER_INTAKE:');
  });
});
