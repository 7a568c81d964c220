import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { collectGarbage } from '../support/collect-garbage.ts';
import { exampleEvents } from '../support/events.ts';
import { batchType, ledgerHomes } from '../support/ledger.ts';

const homes = ledgerHomes();
const bodies = 100_000;
const together = 200;
const seed = 20_261_122;

it('takes 100,000 mutated bodies without a crash, a 5xx or growing memory', async () => {
  const ledger = await homes.open();
  const random = createRandom(seed);
  const statuses = new Map<number, number>();
  const heaps: number[] = [];
  for (let sent = 0; sent < bodies; sent += together) {
    const answers = await Promise.all(
      Array.from({ length: together }, () => ledger.app.inject(mutatedRequest(random))),
    );
    for (const { statusCode } of answers)
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    if (sent % 10_000 === 0) heaps.push(heapHeld());
  }
  heaps.push(heapHeld());
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  expect([...statuses.keys()].toSorted()).toEqual(
    [200, 400, 413, 415].filter((status) => statuses.has(status)),
  );
  expect(statuses.get(200)).toBeGreaterThan(bodies / 10);
  expect(statuses.get(400)).toBeGreaterThan(bodies / 10);
  expect((heaps.at(-1) ?? 0) - (heaps[1] ?? 0)).toBeLessThan(20 * 1024 * 1024);
  await ledger.subscription.catchUp();
  expect(ledger.subscription.failure()).toBeNull();
});

/** Without what nobody holds any more, whenever that would have been collected. */
function heapHeld(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

type Random = (below: number) => number;

/** Mulberry32: small, seeded, and random enough for this. */
function createRandom(start: number): Random {
  let state = start;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const seeds = [
  exampleEvents(1, 1),
  exampleEvents(10, 2),
  exampleEvents(20, 1, { type: 'pi.session.attributed.v1' }),
].map((events) => JSON.stringify(events));
const typesSent = [
  batchType,
  batchType,
  batchType,
  'application/cloudevents+json',
  'application/json',
  'text/plain',
  'x',
];
const encodings = [undefined, undefined, undefined, undefined, 'gzip', 'br', 'identity'];

function mutatedRequest(random: Random) {
  const text = mutateText(seeds[random(seeds.length)] ?? '', random);
  const encoding = encodings[random(encodings.length)];
  const zipped =
    encoding === 'gzip' && random(4) > 0 ? mutateBytes(gzipSync(text), random) : Buffer.from(text);
  const payload = random(10) === 0 ? mutateBytes(zipped, random) : zipped;
  const headers = {
    'content-type': typesSent[random(typesSent.length)] ?? batchType,
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  };
  return { method: 'POST' as const, url: '/v1/events', payload, headers };
}

const splices = [
  '',
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  'null',
  '-1',
  '1e999',
  '0.5',
  'true',
  '\\',
  '\\u0000',
  '\ud800',
  '[[[[',
  '"__proto__":{}',
  '9007199254740993',
  '""',
];

function mutateText(text: string, random: Random): string {
  let mutated = text;
  for (let times = random(4); times > 0; times -= 1) {
    const at = random(mutated.length + 1);
    const until = random(3) === 0 ? at + random(40) : at + random(2);
    mutated =
      random(4) === 0
        ? mutateValue(mutated, random)
        : mutated.slice(0, at) + (splices[random(splices.length)] ?? '') + mutated.slice(until);
  }
  return mutated;
}

/** Replaces the value of some field, and keeps the text JSON. */
function mutateValue(text: string, random: Random): string {
  const values = [
    'null',
    '-1',
    '1e300',
    '"x"',
    '[]',
    '{}',
    'true',
    '"2031-01-01T00:00:00.000Z"',
    `"${'y'.repeat(random(600))}"`,
    '{"__proto__":{"a":1}}',
  ];
  const fields = [...text.matchAll(/":("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|null|true|false)/g)];
  const field = fields[random(fields.length)];
  if (field === undefined) return text;
  const before = text.slice(0, field.index + 2);
  const after = text.slice(field.index + field[0].length);
  return `${before}${values[random(values.length)]}${after}`;
}

function mutateBytes(bytes: Buffer, random: Random): Buffer {
  const mutated = Buffer.from(
    bytes.subarray(0, random(5) === 0 ? random(bytes.length + 1) : bytes.length),
  );
  for (let times = random(4); times > 0 && mutated.length > 0; times -= 1)
    mutated[random(mutated.length)] = random(256);
  return mutated;
}
