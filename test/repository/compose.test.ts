/**
 * docker-compose.yml and the files it reads: valid, without default secrets, pinned, hardened, and
 * consistent with the command that makes the secrets. Needs no Docker; does not test that it
 * starts.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../collector/config/config.ts';
import { mongodb } from '../../collector/stores/mongodb/driver.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { compose, fill, parseCompose, read, root, text, variablesOf } from './compose-file.ts';
import { composeCommands } from './compose-init.ts';

const dockerfile = read('Dockerfile');
const services = Object.entries(compose.services);
const validate = await createValidator();

describe('docker-compose.yml', () => {
  it('is valid by the schema of the Compose Specification', () => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    ['a key that Compose does not know', text.replace('read_only: true', 'readonly: true')],
    ['a value of the wrong kind', text.replace('cap_drop: [ALL]', 'cap_drop: ALL')],
    [
      'a condition that does not exist',
      text.replace('condition: service_healthy', 'condition: service_well'),
    ],
  ])('would not be valid with %s', (_, changed) => {
    expect(changed).not.toBe(text);
    expect(problemsOf(changed)).not.toEqual([]);
  });

  it.each(services)(
    '%s may do little: read-only, no capabilities, no new privileges, bounded',
    (_, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: 'unless-stopped',
      });
      expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    },
  );

  it('runs nothing as root but the proxy, which comes only when it is asked for', () => {
    const roots = services
      .filter(([, { user = '0' }]) => /^0(:|$)/.test(user))
      .map(([name]) => name);
    expect(roots).toEqual(['proxy']);
    expect(compose.services.proxy?.profiles).toEqual(['tls']);
  });

  it.each(services)(
    '%s has an image with its whole version, and a health check',
    (_, { image, build, healthcheck }) => {
      if (build === undefined)
        expect(image).toMatch(/^[a-z/-]+:v?\d+\.\d+\.\d+(-[a-z]+)?(@sha256:[0-9a-f]{64})?$/);
      // Nothing in this image can ask; Prometheus does (compose-observability.test.ts).
      if (image.startsWith('otel/')) return;
      if (build === undefined || healthcheck !== undefined)
        expect(healthcheck?.test.length).toBeGreaterThan(1);
      else expect(dockerfile).toContain('\nHEALTHCHECK ');
    },
  );

  it('exposes the collector to this machine only, and the database to the ledger only', () => {
    expect(compose.services.collector?.ports).toEqual(['127.0.0.1:7717:7717']);
    expect(compose.services.mongodb?.ports).toBeUndefined();
    expect(compose.services.mongodb?.networks).toEqual(['store']);
    expect(compose.networks.store?.internal).toBe(true);
    expect(
      services.filter(([, { networks }]) => networks.includes('store')).map(([name]) => name),
    ).toEqual(['collector', 'mongodb', 'gateway-1', 'gateway-2', 'worker']);
  });

  it('takes each secret from the environment, and has a default for none', () => {
    const isSecret = (name: string): boolean => /PASSWORD|SECRET|TOKEN|KEY/.test(name);
    const taken = [...text.matchAll(/(?<!\$)\$\{([A-Z_]+)([^}]*)\}/g)].filter(([, name = '']) =>
      isSecret(name),
    );
    expect(taken.length).toBeGreaterThanOrEqual(3);
    // Compose asks for all of them, whatever runs: those of a profile are asked for by its service.
    const later = ['GRAFANA_ADMIN_PASSWORD', 'GRAFANA_TOKEN', 'KAFKA_PASSWORD'];
    for (const [, name = '', rest] of taken)
      expect(rest).toMatch(later.includes(name) ? /^:-$/ : /^:\?./);
    const given = services
      .flatMap(([, { environment = {} }]) => Object.entries(environment))
      .filter(([name]) => isSecret(name));
    expect(given.length).toBeGreaterThanOrEqual(2);
    for (const [, value] of given) expect(value).toMatch(/^\$\{[A-Z_]+(:\?[^}]+|:-)\}$/);
  });

  it('reads no variable that .env.example does not explain, and none less', () => {
    const explained = [...read('.env.example').matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => name);
    expect(new Set(variablesOf(text))).toEqual(new Set(explained));
  });

  it('mounts files that exist', () => {
    const sources = services
      .flatMap(([, { volumes = [] }]) => volumes)
      .flatMap((volume) => (typeof volume === 'string' ? [] : [volume.source]));
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources)
      expect(existsSync(join(root, fill(source, {}))), source).toBe(true);
  });

  it('gives the collector a valid store address, with the user of the database', async () => {
    const made = await composeInit();
    const store = fill(
      compose.services.collector?.environment?.PI_LEDGER_STORE ?? '',
      made.variables,
    );
    const config = loadCollectorConfig({ PI_LEDGER_HOME: directory, PI_LEDGER_STORE: store });
    expect(config.store).toEqual({ driver: mongodb, address: store });
    const { username, password, pathname, searchParams, host } = new URL(store);
    expect({ password, host }).toEqual({
      password: made.variables.MONGODB_PASSWORD,
      host: 'mongodb:27017',
    });
    expect(read('deploy/mongodb/create-user.js')).toContain(`user: '${username}'`);
    expect(compose.services.mongodb?.environment?.MONGO_INITDB_DATABASE).toBe(pathname.slice(1));
    expect(read('deploy/mongodb/health.js')).toContain(
      `_id: '${searchParams.get('replicaSet')}', members: [{ _id: 0, host: '${host}' }]`,
    );
    expect(text).toContain(`--replSet ${searchParams.get('replicaSet')} `);
  });
});

const directory = temporaryDirectory();
const { init: composeInit } = composeCommands(directory);

async function createValidator(): Promise<ValidateFunction> {
  const ajv = new Ajv2020({ strict: false, allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  // Compose's own formats, which it parses itself.
  for (const name of ['expose', 'ports', 'duration', 'subnet_ip_address'])
    ajv.addFormat(name, true);
  return ajv.compile(JSON.parse(read('test/repository/compose-spec/compose-spec.json')));
}

function problemsOf(source: string): readonly string[] {
  validate(parseCompose(source));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
