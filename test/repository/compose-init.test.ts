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
    const needed = [...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => String(name));
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

  it.each(['two.example,three.example', 'https://ledger.example', 'ledger.example:443', 'a b', ''])(
    'refuses the host "%s"',
    async (host) => {
      const path = join(directory, 'never.env');
      expect((await run('compose-init', '--file', path, '--host', host)).code).toBe(2);
      expect(existsSync(path)).toBe(false);
    },
  );
});
