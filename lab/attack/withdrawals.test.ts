/**
 * Entries that several sessions claim, by several tokens and without one, in every order; in
 * between, events, sessions and all that a token sent are withdrawn, and what was withdrawn comes
 * again. Each entry counts once, with the best owner that is left, or nowhere: also after a kill,
 * after a rebuild, and in a ledger that imports the export.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readCollectorFile } from '../../collector/process/collector-file.ts';
import { turn } from '../../test/collector/projections/support/given.ts';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type AttackedCollector, type CallerName, startAttacked } from './support/collector.ts';
import { type CollectorProcess, runProgram, startProcess } from './support/process.ts';
import { runs, seed } from './support/runs.ts';

const directory = temporaryDirectory();
const at = '2026-11-20T09:00:00.000Z';
const ownerships = [null, 'unsure', 'named', 'assumed'] as const;
const senders = ['ingest', 'admin', 'machine'] as const;
const sessions = ['a', 'b', 'c'] as const;
const entries = 4;

interface Claim {
  readonly entry: number;
  readonly session: (typeof sessions)[number];
  readonly ownership: (typeof ownerships)[number];
  readonly sender: (typeof senders)[number];
}
type Step = { readonly claim: Claim } | { readonly take: Taken };
type Taken =
  | { readonly entry: number }
  | { readonly session: Claim['session'] }
  | { readonly sender: 'ingest' | 'admin' };

const aClaim: fc.Arbitrary<Claim> = fc.record({
  entry: fc.nat(entries - 1),
  session: fc.constantFrom(...sessions),
  ownership: fc.constantFrom(...ownerships),
  sender: fc.constantFrom(...senders),
});
const taken: fc.Arbitrary<Taken> = fc.oneof(
  fc.record({ entry: fc.nat(entries - 1) }),
  fc.record({ session: fc.constantFrom(...sessions) }),
  fc.record({ sender: fc.constantFrom('ingest' as const, 'admin' as const) }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ claim: aClaim }) },
  { weight: 1, arbitrary: fc.record({ take: taken }) },
);
const steps = fc.array(step, { minLength: 10, maxLength: 25 });
const tries = fc.sample(steps, { seed, numRuns: Math.ceil(runs(40 * 100) / 100) });

/** An entry counts with the best claim that is left, unless its first one is gone. */
function createModel() {
  const claims = new Map<number, { readonly claim: Claim; isGone: boolean }[]>();
  const goneSessions = new Set<string>();
  const best = (left: readonly Claim[]) => left.toSorted(compareClaims)[0];
  const leftOf = (entry: number) =>
    (claims.get(entry) ?? []).flatMap((each) => (each.isGone ? [] : [each.claim]));

  return {
    send(sent: Claim): void {
      const known = claims.get(sent.entry);
      const isGone = goneSessions.has(sent.session);
      if (known === undefined) claims.set(sent.entry, [{ claim: sent, isGone }]);
      else if (!known[0]?.isGone && !isGone && best([...leftOf(sent.entry), sent]) === sent)
        known.push({ claim: sent, isGone });
    },
    take(what: Taken): void {
      if ('session' in what) goneSessions.add(what.session);
      for (const each of [...claims.values()].flat())
        if (Object.entries(what).every(([name, value]) => each.claim[name as 'entry'] === value))
          each.isGone = true;
    },
    has: (what: Taken) => !('entry' in what) || claims.has(what.entry),
    counted(): Record<string, number> {
      const sums: Record<string, number> = {};
      for (const [entry, [first]] of claims) {
        const owner = first?.isGone ? undefined : best(leftOf(entry))?.session;
        if (owner !== undefined) sums[owner] = (sums[owner] ?? 0) + 2 ** entry;
      }
      return sums;
    },
  };
}

/** The surest one, then the first by name. */
function compareClaims(left: Claim, right: Claim): number {
  const byDoubt = ownerships.indexOf(left.ownership) - ownerships.indexOf(right.ownership);
  return byDoubt || (left.session < right.session ? -1 : left.session > right.session ? 1 : 0);
}

let collector: AttackedCollector;
let process_: CollectorProcess;
let tokens: Readonly<Record<string, string>>;

beforeAll(async () => {
  collector = await startAttacked(directory);
  process_ = collector.process;
  const { rows } = await asked('/v1/tokens');
  const idOf = (user: string, scope: string) =>
    rows.find((row: { user: string; scopes: readonly string[] }) =>
      row.user === user ? row.scopes.join() === scope : false,
    ).id;
  tokens = { ingest: idOf('eve', 'ingest'), admin: idOf('root', 'admin') };
});
afterAll(() => process_.stop());

async function asked(path: string, body?: object, caller: CallerName = 'machine', url?: string) {
  // It is drawn at each start.
  const machine = readCollectorFile(collector.home)?.token;
  const isEvents = path === '/v1/events';
  const type = isEvents ? 'application/cloudevents-batch+json' : 'application/json';
  const answer = await fetch(`${url ?? process_.url}${path}`, {
    headers: {
      authorization: `Bearer ${caller === 'machine' ? machine : collector.tokens[caller]}`,
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return answer.json();
}

const idOf = (place: number, entry: number) =>
  `01a2073c-26a2-8daf-b11c-${String(place * entries + entry).padStart(12, '0')}`;

function eventOf({ entry, session, ownership }: Claim, place: number): object {
  const { sequence: _, ...event } = turn(at, { costNanoUsd: 2 ** entry }, `${place}-${session}`);
  const source = '/importers/pi';
  return { ...event, id: idOf(place, entry), source, ...(ownership === null ? {} : { ownership }) };
}

async function countedIn(place: number): Promise<Record<string, number>> {
  const named = sessions.map((session) => `&session=${place}-${session}`).join('');
  const { rows } = await asked(`/v1/usage?by=session${named}`);
  return Object.fromEntries(
    rows.map((row: Record<'session' | 'unknownBillingNanoUsd', string>) => [
      row.session.split('-')[1],
      Number(row.unknownBillingNanoUsd),
    ]),
  );
}

async function play(all: readonly Step[], place: number): Promise<Record<string, number>> {
  const model = createModel();
  // What earlier tries sent stays.
  await sleep(2);
  const since = new Date().toISOString();
  for (const each of all) {
    if ('claim' in each) {
      const sent = await asked('/v1/events', [eventOf(each.claim, place)], each.claim.sender);
      expect(sent).toMatchObject({ rejected: [] });
      model.send(each.claim);
    } else if (model.has(each.take)) await take(each.take, { place, since, model });
  }
  // Whatever was withdrawn is imported again.
  for (const each of all) {
    if (!('claim' in each)) continue;
    await asked('/v1/events', [eventOf(each.claim, place)], each.claim.sender);
    model.send(each.claim);
  }
  return model.counted();
}

interface Try {
  readonly place: number;
  readonly since: string;
  readonly model: ReturnType<typeof createModel>;
}

async function take(what: Taken, { place, since, model }: Try): Promise<void> {
  const body = {
    ...('entry' in what ? { event: idOf(place, what.entry) } : {}),
    ...('session' in what ? { session: `${place}-${what.session}` } : {}),
    ...('sender' in what ? { token: tokens[what.sender], since } : {}),
    reason: 'an attack',
  };
  const planned = await asked('/v1/withdrawals', { ...body, dryRun: true });
  const done = await asked('/v1/withdrawals', body);
  expect([what, done]).toEqual([what, planned]);
  // A session of which the log has nothing is not found, and not withdrawn.
  if (done.code === undefined) model.take(what);
}

it.each(tries.map((all, place) => [place, all] as const))(
  'try %i: each entry counts once, with the best owner that is left',
  async (place, all) => {
    const counted = await play(all, place);
    await eventually(async () => expect([place, await countedIn(place)]).toEqual([place, counted]));
  },
);

async function countedInAll(): Promise<readonly object[]> {
  return Promise.all(tries.map((_, place) => countedIn(place)));
}

it('and so they do after a kill, a rebuild, and in another ledger', async () => {
  const session = `${tries.length - 1}-${sessions[0]}`;
  await asked('/v1/withdrawals', { session, reason: 'an attack' });
  process.kill(process_.pid, 'SIGKILL');
  await eventually(() => expect(process_.isAlive()).toBe(false));
  process_ = await startProcess(collector.settings);
  await eventually(async () => expect((await countedInAll()).at(-1)).not.toHaveProperty('a'));
  const counted = await countedInAll();
  await asked('/v1/rebuild/sessions', {});
  expect(await countedInAll()).toEqual(counted);

  const [file, home] = [join(directory, 'all.ndjson'), join(directory, 'other')];
  mkdirSync(home);
  runProgram(['export', file], collector.settings);
  await process_.stop();
  const other = { PI_LEDGER_HOME: home, PI_LEDGER_STORE: `sqlite:${join(home, 'ledger.db')}` };
  runProgram(['import-events', file], other);
  process_ = await startProcess(other);
  collector = { ...collector, home };
  await eventually(async () => expect(await countedInAll()).toEqual(counted));
});
