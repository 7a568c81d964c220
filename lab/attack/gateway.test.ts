/**
 * What a holder of a token can do to others through a gateway: each batch shares its send with
 * those of others, and what was acknowledged must come out of Kafka.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { batchContentType } from '@pi-ledger/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { exampleEvents } from '../../test/collector/support/events.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type AttackedCollector, startAttacked } from './support/collector.ts';
import { hostileWork } from './support/hostile-text.ts';
import { type CollectorProcess, startProcess } from './support/process.ts';
import { seed } from './support/runs.ts';

const directory = temporaryDirectory();
let gateway: AttackedCollector;
let events = 0;
const acknowledged = new Set<string>();
let refused = 0;

beforeAll(async () => {
  gateway = await startAttacked(directory, { role: 'gateway' });
});
afterAll(() => gateway.stop());

interface Answer {
  readonly accepted: number;
  readonly rejected: readonly { readonly index: number }[];
}

/** What a busy broker does not take in time is offered again, as agents do. */
async function offer(batch: readonly object[]): Promise<[status: number, answer: Answer]> {
  return eventually(async () => {
    const answered = await offerOnce(batch);
    if (answered[0] === 503) throw new Error(JSON.stringify(answered[1]));
    return answered;
  });
}

async function offerOnce(batch: readonly object[]): Promise<[status: number, answer: Answer]> {
  const authorization = `Bearer ${gateway.tokens.ingest}`;
  const answer = await fetch(`${gateway.url}/v1/events`, {
    ...{ method: 'POST', body: JSON.stringify(batch) },
    headers: { authorization, 'content-type': batchContentType },
  });
  const said = (await answer.json()) as Answer;
  if (answer.status === 200) note(batch, said);
  return [answer.status, said];
}

function note(batch: readonly object[], { rejected }: Answer): void {
  const not = new Set(rejected.map(({ index }) => index));
  refused += not.size;
  for (const [index, event] of batch.entries())
    if (!not.has(index)) acknowledged.add((event as { id: string }).id);
}

/** Of no pattern that a compression could use: 14 of 24 bits are random. */
function noise(length: number): string {
  const [text = ''] = fc.sample(
    fc.string({
      unit: fc.integer({ min: 0x4e00, max: 0x9fff }).map((code) => String.fromCharCode(code)),
      ...{ minLength: length, maxLength: length, size: 'max' },
    }),
    { seed: seed + events, numRuns: 1 },
  );
  return text;
}

function fresh(count: number, change: (event: Record<string, unknown>) => object): object[] {
  const made = exampleEvents(100_000 + events, count);
  events += count;
  return made.map((event) => change(event as never));
}

const texts = (count: number, length: number) =>
  fresh(count, (event) => ({ ...event, data: { ...(event.data as object), more: noise(length) } }));

const hostile: Readonly<Record<string, () => readonly object[]>> = {
  'texts that no compression makes smaller': () => texts(16, 80_000),
  'many small ones of that kind': () => texts(2_000, 150),
  'names that no compression makes smaller': () =>
    fresh(2_000, (event) => ({ ...event, subject: noise(100), source: `/${noise(30)}` })),
  'refused ones of quotes only': () =>
    fresh(15, (event) => ({ ...event, time: 'never', more: '"\\'.repeat(65_000) })),
  'refused ones that are too large': () =>
    fresh(10, (event) => ({ ...event, more: noise(100_000) })),
  'five thousand that are nothing': () => Array(5_000).fill(0),
  'names of every kind': () => hostileWork,
  'names with halves of characters': () =>
    fresh(50, (event) => ({ ...event, subject: '\ud800a\udfff', data: event.data })),
  'many keys': () =>
    fresh(4, (event) => ({
      ...event,
      ...Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, n])),
    })),
  'one event many times': () => Array(1_000).fill(fresh(1, (event) => event)[0]),
};

it.each(Object.keys(hostile))('is taken, and keeps nobody else out: %s', async (name) => {
  const batch = hostile[name]?.() ?? [];
  const others = () => offer(fresh(5, (event) => event));
  const answers = await Promise.all([others(), offer(batch), others(), offer(batch), others()]);
  expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200, 200]);
  for (const at of [0, 2, 4]) expect(answers[at]?.[1]).toMatchObject({ accepted: 5 });
});

it('a worker behind it has all that was acknowledged, and goes on', async () => {
  const home = join(directory, 'worker');
  mkdirSync(home);
  const worker = await startProcess({
    ...{ ...gateway.settings, PI_LEDGER_ROLE: 'worker', PI_LEDGER_HOME: home },
  });
  try {
    await expect.poll(() => missingIn(worker), { interval: 250 }).toBe(0);
    expect(worker.isAlive()).toBe(true);
    expect(troublesIn(worker)).toEqual([]);
    expect(refused).toBeGreaterThan(5_000);
  } finally {
    await worker.stop();
  }
});

/** A broker that has just begun says to try again, or is asked in vain who leads a group. */
function troublesIn(worker: CollectorProcess): readonly string[] {
  const ofBeginning = /"retriable":true|"name":"KafkaJSGroupCoordinatorNotFound"/;
  const lines = worker.errors().split('\n');
  return lines.filter((line) => /"level":(50|60)/.test(line) && !ofBeginning.test(line));
}

/** How many acknowledged events are not in its log. */
async function missingIn(worker: CollectorProcess): Promise<number> {
  const missing = new Set(acknowledged);
  for (let after: number | null = 0; after !== null; ) {
    const page: Page = await read(worker, `/v1/log?after=${after}`);
    for (const { event } of page.rows) missing.delete(event.id);
    after = page.next;
  }
  return missing.size;
}

interface Page {
  readonly rows: readonly { readonly event: { readonly id: string } }[];
  readonly next: number | null;
}

async function read(worker: CollectorProcess, path: string): Promise<Page> {
  const headers = { authorization: `Bearer ${gateway.tokens.admin}` };
  return (await fetch(`${worker.url}${path}`, { headers })).json() as Promise<Page>;
}
