/** Who is let in at all: for every route of the served document, and for guesses of tokens. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorsIn } from '../../test/collector/support/contract-check.ts';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { type AttackedCollector, attackedRoles, startAttacked } from './support/collector.ts';
import { type Operation, readDocument } from './support/document.ts';
import { guardedBy } from './support/guarded.ts';
import { ask, type WireAnswer } from './support/wire.ts';

const directory = temporaryDirectory();
let collector: AttackedCollector;
let operations: readonly Operation[];

function knock(line: string, headers: readonly string[], host = 'localhost'): Promise<WireAnswer> {
  const lines = [`${line} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers];
  return ask(collector.url, `${lines.join('\r\n')}\r\n\r\n`);
}

/** Asks every route; a route that is let in would answer. */
async function codesOfAll(headers: readonly string[], host?: string): Promise<readonly string[]> {
  const codes: string[] = [];
  for (const { method, path } of operations) {
    const target = path.replaceAll(/\{\w+\}/g, 'sessions');
    const { status, body } = await knock(`${method} ${target}`, headers, host);
    expect(errorsIn('error', JSON.parse(body))).toEqual([]);
    codes.push(`${status} ${JSON.parse(body).code}`);
  }
  expect(codes.length).toBeGreaterThanOrEqual(collector.role === 'all' ? 41 : 6);
  return [...new Set(codes)];
}

function swapAt(text: string, index: number): string {
  return `${text.slice(0, index)}${text[index] === 'A' ? 'B' : 'A'}${text.slice(index + 1)}`;
}

const admin = () => collector.authorization('machine');

describe.each(attackedRoles)('on the role %s:', (role) => {
  const { path } = guardedBy[role];

  beforeAll(async () => {
    collector = await startAttacked(directory, { role, settings: {} });
    const headers = { authorization: `Bearer ${collector.tokens.read}` };
    const answer = await fetch(`${collector.url}/openapi.json`, { headers });
    operations = readDocument(await answer.text()).operations;
  });
  afterAll(() => collector.stop());

  describe('every route', () => {
    it.each([
      [['Origin: https://evil.example']],
      [['Origin: null', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors']],
      [['Sec-Fetch-Site: same-site', 'Sec-Fetch-Dest: script']],
      [['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']],
      [['Origin: http://localhost.evil.example', 'Sec-Fetch-Site: none']],
      [['Origin: http://localhost:1', 'X-Forwarded-Host: localhost:1']],
    ])('is closed to pages of others, with any token: %j', async (headers) => {
      expect(await codesOfAll([...headers, ...admin()])).toEqual(['403 origin_not_allowed']);
    });

    it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.example', 'localhost@evil'])(
      'is closed under a name that was rebound to our address: %s',
      async (host) => {
        expect(await codesOfAll(admin(), host)).toEqual(['403 host_not_allowed']);
      },
    );
  });

  describe('a guessed token', () => {
    const real = (): string => collector.tokens.admin;
    const guesses: Readonly<Record<string, () => string>> = {
      'nothing like one': () => 'x',
      'its beginning': () => real().slice(0, -1),
      'one character more': () => `${real()}A`,
      'its other case': () => real().replace(/[a-z](?=[^a-z]*$)/, (letter) => letter.toUpperCase()),
      'one character wrong at the end': () => swapAt(real(), real().length - 2),
      'one character wrong at the start': () => swapAt(real(), 4),
      'a valid form': () => `pil_${'A'.repeat(43)}`,
      'a name of the database': () => "pil_' OR '1'='1",
      'very long': () => 'pil_'.repeat(2_000),
    };

    it('gets the same answer, byte for byte, however near it is', async () => {
      const answers = new Map<string, string[]>();
      for (const [name, guess] of Object.entries(guesses)) {
        const { status, headers, body } = await knock(`GET ${path}`, [
          `Authorization: Bearer ${guess()}`,
        ]);
        const { date: _, ...rest } = headers;
        const text = JSON.stringify([status, rest, body]);
        answers.set(text, [...(answers.get(text) ?? []), name]);
      }
      expect([...answers.values()]).toEqual([Object.keys(guesses)]);
      expect([...answers.keys()][0]).toContain('token_unknown');
    });

    it('is one of 600 a minute from one address, and no valid token waits for them', async () => {
      const statuses: number[] = [];
      for (let n = 0; n < 700 && !statuses.includes(429); n += 1) {
        const guess = `pil_${String(n).padStart(43, 'B')}`;
        statuses.push((await knock(`GET ${path}`, [`Authorization: Bearer ${guess}`])).status);
      }
      expect([...new Set(statuses)]).toEqual([401, 429]);
      expect((await knock(`GET ${path}`, admin())).status).toBe(200);
      const late = await knock(`GET ${path}`, ['Authorization: Bearer x']);
      expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
    });
  });
});
