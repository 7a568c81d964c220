/**
 * Every route of the served document under requests made from that document and then spoilt, sent
 * as bytes to a collector process that requires tokens.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { attacks } from './support/attacks.ts';
import {
  type AttackedCollector,
  type AttackedRole,
  attackedRoles,
  startAttacked,
} from './support/collector.ts';
import { type Described, readDocument } from './support/document.ts';
import { faultsOf } from './support/invariants.ts';
import { runs, seed } from './support/runs.ts';
import { bytesOf } from './support/wire.ts';

const directory = temporaryDirectory();
const readyEvery = 200;
/** A stream, which other tests have, and what takes an id that nobody can guess. */
const beyondReach = new Set(['GET /v1/live', 'POST /v1/tokens/{id}/revoke']);
/** A gateway has six operations. */
const runsOf: Readonly<Record<AttackedRole, number>> = { all: 1_500, gateway: 400 };
let collector: AttackedCollector;
let described: Described;

describe.each(attackedRoles)('on the role %s:', (role) => {
  beforeAll(async () => {
    collector = await startAttacked(directory, { role });
    const headers = { authorization: `Bearer ${collector.tokens.read}` };
    const answer = await fetch(`${collector.url}/openapi.json`, { headers });
    described = readDocument(await answer.text());
  });
  afterAll(() => collector.stop());

  it('no request is answered with an error of ours, the inside, or others’ rows', async () => {
    const numRuns = runs(runsOf[role]);
    const statuses = new Map<string, number>();
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(attacks(described), async (attack) => {
        const answer = await collector.attack(attack);
        const key = `${attack.operation} ${answer.status < 400 ? 'in' : 'refused'}`;
        statuses.set(key, (statuses.get(key) ?? 0) + 1);
        sent += 1;
        expect(faultsOf(attack, answer, collector)).toEqual([]);
        if (sent % readyEvery === 0) expect(await collector.isReady()).toBe(true);
      }),
      { seed, numRuns },
    );
    console.log(`${sent} attacks on ${described.operations.length} operations, seed ${seed}`);
    expect(await collector.isReady()).toBe(true);
    expect(collector.process.isAlive()).toBe(true);
    expect(collector.process.errors()).not.toMatch(/a request failed|"level":(50|60)/);
    for (const token of Object.values(collector.tokens).filter((text) => text.length > 40))
      expect(collector.process.errors()).not.toContain(token);
    // Attacks that never come past the door find nothing behind it.
    const untried = described.operations
      .map(({ method, path }) => `${method} ${path}`)
      .filter((name) => !beyondReach.has(name) && !statuses.has(`${name} in`));
    if (untried.length > 0) console.log(`let in nowhere: ${untried.join(', ')}`);
    expect(untried.length).toBeLessThan(described.operations.length / 10);
  });

  it('this check notices each kind of fault', () => {
    const attack = {
      ...{ method: 'GET', target: '/v1/usage', headers: [], body: null, caller: 'own' as const },
      ...{ operation: 'GET /v1/usage', scope: 'admin' },
    };
    const good = {
      ...{ status: 404, body: '{"code":"not_found","message":"x"}', rest: bytesOf('') },
      headers: {
        'content-type': 'application/json',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'",
      },
    };
    const faults = (change: object) => faultsOf(attack, { ...good, ...change }, collector);
    expect(faults({})).toEqual([]);
    const bad = [
      { status: 0 },
      { status: 500 },
      { status: 200, body: '{}' },
      { body: '{"code":"other","message":"x"}' },
      { body: '{"code":"not_found","message":"x","stack":"y"}' },
      { body: '{"code":"not_found","message":"at open (/a/b.ts:1:2)"}' },
      { body: `{"code":"not_found","message":"${collector.home}"}` },
      { body: `{"code":"not_found","message":"${collector.tokens.machine}"}` },
      { body: '{"code":"not_found","message":"bob-model"}' },
      { headers: {} },
      { headers: { ...good.headers, 'access-control-allow-origin': '*' } },
      { headers: { ...good.headers, 'x-injected': 'yes' } },
    ];
    expect(bad.map((change) => faults(change).length > 0)).toEqual(bad.map(() => true));
  });
});
