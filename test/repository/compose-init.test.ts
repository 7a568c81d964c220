import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { composeCommands } from './compose-init.ts';

const directory = temporaryDirectory();
const { run, init: composeInit } = composeCommands(directory);
const text = readFileSync(
  fileURLToPath(new URL('../../docker-compose.yml', import.meta.url)),
  'utf8',
);

describe('pi-ledger compose-init', () => {
  it('makes every secret that Compose requires, new each time, for the owner alone', async () => {
    const [one, another] = [await composeInit(), await composeInit('--host', 'ledger.example')];
    const needed = [...text.matchAll(/(?<!\$)\$\{([A-Z_]+):\?/g)].map(([, name]) => String(name));
    for (const name of needed) expect(one.variables[name]).toMatch(/^[0-9a-f]{64}$/);
    const drawn = [one, another].flatMap(({ variables }) => [
      variables.MONGODB_PASSWORD,
      variables.MONGODB_ROOT_PASSWORD,
    ]);
    expect(new Set(drawn).size).toBe(4);
    expect(another.variables.PI_LEDGER_HOSTS).toBe('ledger.example');
    expect(one.mode).toBe(0o600);
    expect(one.printed).not.toContain(one.variables.MONGODB_PASSWORD);
  });

  it('writes over nothing', async () => {
    const path = join(directory, 'kept.env');
    writeFileSync(path, 'mine');
    const { code, printed } = await run('compose-init', '--file', path);
    expect({ code, content: readFileSync(path, 'utf8') }).toEqual({ code: 2, content: 'mine' });
    expect(printed).toContain('already exists');
  });

  it('with --observability makes what that profile needs, too', async () => {
    const [plain, full] = [await composeInit(), await composeInit('--observability')];
    expect(Object.keys(full.variables)).toEqual([
      ...Object.keys(plain.variables),
      'GRAFANA_ADMIN_PASSWORD',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    ]);
    expect(full.variables.GRAFANA_ADMIN_PASSWORD).toMatch(/^[0-9a-f]{64}$/);
    expect(full.mode).toBe(0o600);
    expect(full.printed).toContain('--scope read');
  });

  it('with --organisation makes what that profile needs, too', async () => {
    const [plain, full] = [await composeInit(), await composeInit('--organisation')];
    expect(Object.keys(full.variables)).toEqual([
      ...Object.keys(plain.variables),
      ...['KAFKA_PASSWORD', 'PI_LEDGER_KAFKA', 'PI_LEDGER_ROLE'],
      ...['PI_LEDGER_INTAKE', 'PI_LEDGER_UPSTREAM'],
    ]);
    expect(full.variables.KAFKA_PASSWORD).toMatch(/^[0-9a-f]{64}$/);
    expect(full.printed).not.toContain(full.variables.KAFKA_PASSWORD);
    expect(full.printed).toContain('docker compose --profile organisation up --detach');
  });

  it('adds both profiles to one file, one after the other', async () => {
    const path = join(directory, 'both.env');
    writeFileSync(path, 'MONGODB_PASSWORD=kept\n');
    for (const option of ['--observability', '--organisation'])
      expect((await run('compose-init', option, '--file', path)).code).toBe(0);
    const added = readFileSync(path, 'utf8');
    expect(added).toMatch(/^MONGODB_PASSWORD=kept\nGRAFANA_ADMIN_.*\nKAFKA_PASSWORD=[0-9a-f]+\n/s);
    const { code, printed } = await run('compose-init', '--organisation', '--file', path);
    expect({ code, content: readFileSync(path, 'utf8') }).toEqual({ code: 2, content: added });
    expect(printed).toContain('already has KAFKA_PASSWORD');
  });

  it('adds to a file that is there what it lacks, once, and changes nothing in it', async () => {
    const path = join(directory, 'earlier.env');
    const earlier = '# mine\nMONGODB_PASSWORD=kept';
    writeFileSync(path, earlier, { mode: 0o640 });
    const argv = ['compose-init', '--observability', '--file', path];
    expect((await run(...argv)).code).toBe(0);
    const added = readFileSync(path, 'utf8');
    expect(added.startsWith(`${earlier}\nGRAFANA_ADMIN_PASSWORD=`)).toBe(true);
    expect(added).not.toContain('ROOT');
    const { code, printed } = await run(...argv);
    expect({ code, content: readFileSync(path, 'utf8') }).toEqual({ code: 2, content: added });
    expect(printed).toContain('already has GRAFANA_ADMIN_PASSWORD');
  });

  it('does not take a host for a file that is there', async () => {
    const path = join(directory, 'hosted.env');
    writeFileSync(path, 'mine');
    const argv = ['--observability', '--host', 'ledger.example', '--file', path];
    expect((await run('compose-init', ...argv)).code).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  it.each(['two.example,three.example', 'https://ledger.example', 'ledger.example:443', 'a b', ''])(
    'refuses the host "%s"',
    async (host) => {
      const path = join(directory, 'never.env');
      expect((await run('compose-init', '--file', path, '--host', host)).code).toBe(2);
      expect(existsSync(path)).toBe(false);
    },
  );
});
