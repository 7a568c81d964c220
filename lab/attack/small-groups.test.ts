/**
 * Tokens that are told of groups of N users and more compare all their answers. Every record has
 * another power of two of tokens, and costs as much, so a sum says which records it is made of,
 * whatever rule chose them.
 *
 * Records that are in the same answers cannot be told apart by adding and subtracting; the others
 * can. So no sum of answers, of each any multiple, belongs to fewer than N users if every set of
 * records that are in the same answers has as many.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Guarded, guardedLedgers } from '../../test/collector/support/guarded.ts';
import { post } from '../../test/collector/support/ledger.ts';
import { sessionEvents } from '../../test/collector/support/work.ts';
import { questions } from './support/attacks.ts';
import { readDocument } from './support/document.ts';
import { runs, seed } from './support/runs.ts';

const guarded = guardedLedgers();

/** After the last month of the team's work, and in time for it to be told. */
const nowMs = Date.parse('2026-12-04T12:00:00.000Z');

interface Work {
  readonly user: string;
  readonly project: string;
  readonly model: string;
  readonly day: string;
  readonly branch: string;
  readonly isSubscription: boolean;
  readonly hasPrice: boolean;
  readonly utcOffsetMinutes: number;
}

interface Team {
  readonly minimumUsers: number;
  /** The n-th record is of the n-th power of two, in tokens, and in money where it has a price. */
  readonly work: readonly Work[];
}

const projects = ['shop', 'lab', 'den', 'mill', ''];
const models = ['opus', 'sonnet', 'tiny'];
const days = ['2026-09-14', '2026-10-02', '2026-10-31', '2026-11-01', '2026-11-02', '2026-11-30'];
const recordsMax = 50;

const team: fc.Arbitrary<Team> = fc
  .record({
    users: fc.integer({ min: 3, max: 10 }),
    projects: fc.integer({ min: 1, max: projects.length }),
    models: fc.integer({ min: 1, max: models.length }),
    days: fc.subarray(days, { minLength: 1 }),
    minimumUsers: fc.integer({ min: 2, max: 4 }),
  })
  .chain((size) =>
    fc
      .array(
        fc.record({
          user: fc.nat(size.users - 1).map((number) => (number === 9 ? '' : `user-${number}`)),
          project: fc.constantFrom(...projects.slice(0, size.projects)),
          model: fc.constantFrom(...models.slice(0, size.models)),
          day: fc.constantFrom(...size.days),
          branch: fc.constantFrom('main', 'fix'),
          isSubscription: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
          hasPrice: fc.integer({ min: 0, max: 9 }).map((number) => number > 1),
          utcOffsetMinutes: fc.constantFrom(0, 0, 0, -600, 330),
        }),
        { minLength: 20, maxLength: recordsMax },
      )
      .map((work) => ({ minimumUsers: size.minimumUsers, work })),
  );

function eventsOf({ work }: Team) {
  return work.flatMap(({ model, day, isSubscription, hasPrice, ...place }, index) => {
    const provider = model === 'tiny' ? 'local' : 'anthropic';
    const billing = { [provider]: isSubscription ? 'subscription' : 'metered' } as const;
    const time = `${day}T11:00:00.000Z`;
    const nanoUsd = hasPrice ? 2 ** index : null;
    const turns = [{ time, model, provider, input: 2 ** index, nanoUsd }];
    return sessionEvents({ ...place, id: `small-${index}`, billing, startedAt: time, turns });
  });
}

async function opened(made: Team): Promise<Guarded> {
  const { minimumUsers } = made;
  const subject = await guarded.open({ minimumUsers, requestsPerMinuteMax: 0 });
  subject.clock.nowMs = nowMs;
  await post(subject.ledger, eventsOf(made), { authorization: `Bearer ${subject.machineToken}` });
  return subject;
}

/** Those of a reader of everything, and of readers of some projects: they may work together. */
async function tokensOf(subject: Guarded): Promise<readonly string[]> {
  const limits = [{}, { projects: ['shop'] }, { projects: ['shop', 'lab'] }, { projects: ['den'] }];
  const made = limits.map((limit) => subject.make({ user: 'boss', scopes: ['read'], ...limit }));
  return (await Promise.all(made)).map(({ text }) => text);
}

const groupingsAsked = [
  ...['project', 'model', 'provider', 'month', 'project,model', 'model,project', 'month,project'],
  ...['month,project,model', 'provider,project', 'week', 'day', 'hour', 'project,day', 'host'],
  ...['branch', 'kind', 'agentKind', 'costSource', 'stopReason', 'project,branch', 'pr', 'commit'],
];
const filtersAsked = [
  ...['', '&project=shop', '&project=lab', '&project=', '&project=shop&project=lab', '&model=opus'],
  ...['&model=opus&model=sonnet', '&provider=local', '&project=shop&model=opus', '&branch=main'],
  ...['&host=pi', '&kind=turn', '&project=%28small+groups%29'],
];
const periodsAsked = [
  ...['', '&since=2026-10-01', '&until=2026-10-31', '&since=2026-11-01&until=2026-11-30'],
  ...['&since=2026-10-01&until=2026-11-30', '&since=2026-11-02', '&until=2026-11-01'],
  ...['&since=2026-11-01T00:00:00Z', '&until=2026-11-01T11:00:00Z', '&timezone=Asia/Kolkata'],
  ...['&timezone=America/New_York&until=2026-10-31'],
];

const urls = groupingsAsked.flatMap((by) =>
  filtersAsked.flatMap((filter) =>
    periodsAsked.map((period) => `/v1/usage?limit=1000&by=${by}${filter}${period}`),
  ),
);
const urlsOfEach = 250;

const amounts = ['meteredNanoUsd', 'subscriptionNanoUsd', 'unknownBillingNanoUsd'];
/** What is added and subtracted: amounts, or tokens. */
const measures = { amounts, tokens: ['inputTokens'] } as const;
type Sets = Readonly<Record<keyof typeof measures, Set<bigint>>>;

/** Adds which records an answer is made of: those of each row and of the total, by billing. */
function addSets(sets: Sets, text: string): void {
  const { rows, total } = JSON.parse(text) as Record<'rows', Record<string, string>[]> & {
    total: Record<string, string>;
  };
  for (const figures of [...rows, total])
    for (const measure of ['amounts', 'tokens'] as const)
      for (const name of measures[measure]) sets[measure].add(BigInt(figures[name] ?? 0));
}

/** The users of each set of records that are in the same answers, and in any. */
function usersApart({ work }: Team, sets: ReadonlySet<bigint>): readonly (readonly string[])[] {
  const apart = new Map<string, Set<string>>();
  for (const [index, { user }] of work.entries()) {
    const places = [...sets].map((set) => Number((set >> BigInt(index)) & 1n)).join('');
    if (!places.includes('1')) continue;
    const users = apart.get(places) ?? new Set();
    apart.set(places, users);
    if (user !== '') users.add(user);
  }
  return [...apart.values()].map((users) => [...users]);
}

async function setsTold(
  subject: Guarded,
  tokens: readonly string[],
  asked: readonly string[],
): Promise<Sets> {
  const sets = { amounts: new Set<bigint>(), tokens: new Set<bigint>() };
  for (const token of tokens)
    for (const url of asked) {
      const { status, text } = await subject.ask({ url, token });
      expect([url, [200, 400, 403].includes(status)]).toEqual([url, true]);
      if (status === 200) addSets(sets, text);
    }
  return sets;
}

const count = Math.ceil(runs(4_000) / urlsOfEach);
const asking = fc.shuffledSubarray(urls, { minLength: urlsOfEach, maxLength: urlsOfEach });
const tries = fc.sample(fc.tuple(team, asking), { seed, numRuns: count });
let told = 0;

it.each(tries)('no sum of answers belongs to fewer users than the floor', async (made, asked) => {
  const subject = await opened(made);
  const sets = await setsTold(subject, await tokensOf(subject), asked);
  for (const each of [sets.amounts, sets.tokens]) {
    const apart = usersApart(made, each);
    told += apart.length;
    expect(apart.filter((users) => users.length < made.minimumUsers)).toEqual([]);
  }
});

it('many groups were told apart', () => {
  console.log(`${count} teams, ${told} sums told apart, seed ${seed}`);
  expect(told).toBeGreaterThan(count);
});

it('no other route says anything', async () => {
  const [made] = fc.sample(team, { seed, numRuns: 1 });
  if (made === undefined) throw new Error('No team.');
  const subject = await opened(made);
  const { text: token } = await subject.make({ user: 'boss', scopes: ['read'] });
  const document = await subject.ask({ url: '/openapi.json', token: subject.machineToken });
  const described = readDocument(document.text);
  const open = ['/v1/usage', '/v1/answers', '/v1/standing', '/v1/proof'];
  const operations = described.operations.filter(
    ({ path, scope }) => scope !== null && !open.includes(path) && path !== '/openapi.json',
  );
  expect(operations.length).toBeGreaterThan(40);
  const asked = fc.sample(questions({ ...described, operations }), { seed, numRuns: runs(300) });
  for (const { method, target } of asked) {
    const { status } = await subject.ask({ method, url: target, token });
    expect([target, status >= 400]).toEqual([target, true]);
  }
});

it('this check notices two groupings that differ by one user', () => {
  const work = ['ada', 'bob', 'cy'].map((user) => ({ ...{ user, project: 'shop' } }) as Work);
  const made = { minimumUsers: 3, work };
  expect(usersApart(made, new Set([0b111n]))).toEqual([['ada', 'bob', 'cy']]);
  expect(usersApart(made, new Set([0b111n, 0b011n]))).toContainEqual(['cy']);
});
