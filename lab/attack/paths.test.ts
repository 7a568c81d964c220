/** Paths that mean another file, another route or another host, however they are written. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import type { Attack } from './support/attacks.ts';
import {
  type AttackedCollector,
  type AttackedRole,
  attackedRoles,
  type CallerName,
  callerNames,
  scopesOf,
  startAttacked,
} from './support/collector.ts';
import { guardedBy } from './support/guarded.ts';
import { faultsOf } from './support/invariants.ts';
import { ask, type WireAnswer } from './support/wire.ts';

const directory = temporaryDirectory();
let collector: AttackedCollector;

async function asked(target: string, caller: Attack['caller']): Promise<WireAnswer> {
  const attack: Attack = {
    ...{ method: 'GET', target, headers: [], body: null, caller },
    ...{ operation: target, scope: undefined },
  };
  const answer = await collector.attack(attack);
  expect(faultsOf(attack, answer, collector)).toEqual([]);
  return answer;
}

/** Ways to write `../../test/`. */
const ups = [
  ...[
    '../../test/',
    '..%2f',
    '%2e%2e/',
    '%2e%2e%2f',
    '%252e%252e%252f',
    '..%c0%af',
    '%c0%ae%c0%ae/',
  ],
  ...['..\\', '..%5c', '%2e%2e%5c', '....//', '..;/', '.%00./', '..%00/', '%uff0e%uff0e/'],
];
/** Below each of these a path has no end. */
const below = ['/assets/', '/projects/', '/sessions/', '/', '/v1/sessions/', '/v1/../assets/'];
const files = ['etc/passwd', 'collector.json', 'attacked.db'];
const document = 'text/html; charset=utf-8';

/** Whom the guarded route answers. */
function isLetIn(role: AttackedRole, caller: CallerName): boolean {
  return scopesOf[caller].includes(role === 'all' ? 'admin' : 'read');
}

type Lengths = readonly (readonly [what: string, target: string, status: number])[];
const beyondAll: Lengths = [
  ['a deep path', '/a'.repeat(4_000), 404],
  ['a path beyond all limits', `/${'a'.repeat(17_000)}`, 431],
];
const lengths: Readonly<Record<AttackedRole, Lengths>> = {
  all: [
    ...beyondAll,
    ['a long path', `/v1/sessions/${'a'.repeat(150)}`, 404],
    ['a longer path', `/v1/sessions/${'a'.repeat(9_000)}`, 400],
    ['a query beyond all limits', `/v1/usage?project=${'a'.repeat(17_000)}`, 431],
    ['4,000 parameters', `/v1/usage?${'a=&'.repeat(4_000)}`, 400],
    ['500 values of one parameter', `/v1/usage?${'user=a&'.repeat(500)}`, 400],
  ],
  gateway: [
    ...beyondAll,
    ['a query beyond all limits', `/v1/proof?nonce=${'a'.repeat(17_000)}`, 431],
    ['4,000 parameters', `/v1/proof?${'a=&'.repeat(4_000)}`, 400],
    ['500 values of one parameter', `/v1/proof?${'nonce=a&'.repeat(500)}`, 400],
  ],
};

describe.each(attackedRoles)('on the role %s:', (role) => {
  const { path, outsider } = guardedBy[role];
  const name = path.slice('/v1/'.length);
  /** The same name, by its first letter's number. */
  const spelt = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;

  beforeAll(async () => {
    collector = await startAttacked(directory, { role });
  });
  afterAll(() => collector.stop());

  it('no path reaches a file that is not of the page', async () => {
    const targets = below.flatMap((start) =>
      ups.flatMap((up) => files.map((file) => `${start}${up.repeat(8)}${file}`)),
    );
    for (const target of targets) {
      const { status, headers, body } = await asked(target, 'nobody');
      expect(body).not.toMatch(/root:|"pid"|SQLite format|pil_/);
      // The page's own document, which is the same for every path of a view.
      if (status === 200) expect([target, headers['content-type']]).toEqual([target, document]);
    }
  });

  describe('a path that is another one when it is tidied up', () => {
    it.each([
      ...[`/health/..${path}`, `/health/%2e%2e${path}`, `/${path}`, `/.${path}`, `${path}%2f`],
      ...[`/assets/..%2f..%2fv1%2f${name}`, `/v1//${name}`, path.toUpperCase(), `${path}/`],
      ...[`/v1\\${name}`, `${path}%00`, `${path};x`, `${path}%20`, `${path}%3flimit=1`],
      ...[`/health/live/..%2f..%2f${path.slice(1)}`, `${path}.json`, `/v1/%25${spelt.slice(1)}`],
    ])('is not that one: %s', async (target) => {
      expect((await asked(target, 'nobody')).status).not.toBe(200);
      for (const caller of ['machine', 'ingest'] as const) {
        const { status, body } = await asked(target, caller);
        if (status === 200) expect([caller, body]).toEqual(['machine', expect.any(String)]);
        if (caller === 'ingest') expect([400, 403, 404]).toContain(status);
      }
    });

    it('and is let in under any spelling of its letters only with the same rights', async () => {
      const others = callerNames.filter((caller) => !isLetIn(role, caller));
      for (const target of [`/v1/${spelt}`, `/%76%31/${name}`, `${path}#x`, `${path}?`])
        for (const caller of others) expect((await asked(target, caller)).status).not.toBe(200);
    });
  });

  describe('a target that is no path', () => {
    const as = (target: string, host = 'localhost', caller: Attack['caller'] = 'admin') => {
      const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close'];
      const head = [...lines, ...collector.authorization(caller)].join('\r\n');
      return ask(collector.url, `${head}\r\n\r\n`);
    };

    it('with a host is answered only for its own, with the rights of its path', async () => {
      expect((await as(`http://localhost${path}`)).status).toBe(200);
      expect((await as(`http://localhost${path}`, 'localhost', outsider)).status).toBe(403);
      expect((await as(`http://localhost${path}`, 'localhost', 'nobody')).status).toBe(401);
      for (const host of [
        ...['evil.example', 'localhost@evil.example', 'localhost.evil.example', 'localhost:1:2'],
        ...['', '[::1', 'evil.example\\@localhost', 'localhost%2eevil.example', '127.1'],
      ]) {
        const target = `http://${host}${path}`;
        expect([target, (await as(target)).status]).not.toEqual([target, 200]);
      }
    });

    it.each([
      ...['*', path.slice(1), '?', 'localhost:1', 'file:///etc/passwd', `%2f${path.slice(1)}`],
    ])('is refused in every other form: %s', async (target) => {
      expect([400, 403, 404]).toContain((await as(target)).status);
    });
  });

  it.each(lengths[role])('%s is answered in the contract’s form', async (_, target, status) => {
    expect((await asked(target, 'admin')).status).toBe(status);
  });
});
