/**
 * Subagents: a world of answers, told by those who recorded them and by those who only repeat them.
 */
import type { EventData, LedgerEvent, Spend } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noRules } from '../../../collector/projections/rules.ts';
import { createSessions, sessions } from '../../../collector/projections/sessions.ts';
import { totals } from '../../../collector/projections/totals.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { fold } from './fold.ts';
import { attributed, event, limitsWide, spendOf, turn } from './given.ts';
import { expectedUsage } from './reference.ts';

const at = '2026-11-22T10:00:00.000Z';
const later = '2026-11-22T10:05:00.000Z';

type Claimed = EventData<'pi.subagent.claimed.v1'>;

const claim = (key: string, claimed: Spend, time = at, session = 's1'): LedgerEvent =>
  event('pi.subagent.claimed.v1', { at: time, session }, {
    key,
    claimed,
  } satisfies Partial<Claimed>);
const account = (keys: string[], accounted: Spend, session = 's1'): LedgerEvent =>
  event('pi.subagent.accounted.v1', { at, session }, { keys, accounted });
const tool = (turnEntryId: string | null, spend: Spend, time = at): LedgerEvent =>
  event('pi.tool.completed.v1', { at: time }, { turnEntryId, spend });

const answer = spendOf({
  inputTokens: 100,
  outputTokens: 20,
  cacheReadTokens: 300,
  cacheWriteTokens: 40,
  costNanoUsd: 5_000,
});
const double = spendOf({
  inputTokens: 200,
  outputTokens: 40,
  cacheReadTokens: 600,
  cacheWriteTokens: 80,
  costNanoUsd: 10_000,
});
const response = (number: number): string => `response:${number.toString(16).padStart(16, '0')}`;

/** In every order, from memory and reloaded: the row of the whole session. */
function inAnyOrder(given: readonly LedgerEvent[]): Record<string, bigint> | undefined {
  const [first, ...others] = permutations(given).flatMap((events) => {
    const [kept, reloaded] = [fold(sessions, events), fold(sessions, events, { isReloaded: true })];
    expect(reloaded.documents()).toEqual(kept.documents());
    return [kept.rows(usage, 'kind').tool, reloaded.rows(usage, 'kind').tool];
  });
  for (const other of others) expect(other).toEqual(first);
  return first;
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

describe('claims of subagents', () => {
  it('Subagents: a child’s own records count, the parent’s repetition does not', () => {
    expect(
      inAnyOrder([
        claim('agent:SubA', double),
        account(['agent:SubA'], answer),
        account(['agent:SubA'], answer),
      ]),
    ).toBeUndefined();
    expect(
      inAnyOrder([claim(response(1), answer), account(['turn:t1', response(1)], answer)]),
    ).toBeUndefined();
    expect(
      inAnyOrder([
        tool('t1', double),
        account(['turn:t1', response(1)], answer),
        account(['turn:t1', response(2)], answer),
      ]),
    ).toBeUndefined();
  });

  it('Subagents: what of the parent’s nested usage no child accounts for does count', () => {
    expect(
      inAnyOrder([claim('agent:SubA', answer), claim(response(1), answer), tool('t1', answer)]),
    ).toMatchObject({
      records: 3n,
      inputTokens: 300n,
      nanoUsd: 15_000n,
    });
  });

  it('Subagents: of a claim that is accounted for in part, the rest counts', () => {
    expect(
      inAnyOrder([claim('agent:SubA', double), account(['agent:SubA'], answer)]),
    ).toMatchObject({
      records: 1n,
      inputTokens: 100n,
      outputTokens: 20n,
      cacheReadTokens: 300n,
      cacheWriteTokens: 40n,
      nanoUsd: 5_000n,
    });
  });

  it('Subagents: an agent claimed twice counts what both claims have beyond it', () => {
    const given = [
      claim('agent:SubA', double, at),
      claim('agent:SubA', double, later),
      account(['agent:SubA'], double),
      account(['agent:SubA'], answer),
    ];
    expect(inAnyOrder(given)).toMatchObject({ records: 1n, inputTokens: 100n, nanoUsd: 5_000n });
  });

  it('Subagents: an answer in two tool results counts once, at the first claim', () => {
    const given = [
      claim(response(1), answer, '2026-11-22T11:00:00.000Z'),
      claim(response(1), answer, later),
      claim(response(1), answer, later),
    ];
    expect(inAnyOrder(given)).toMatchObject({ records: 1n, inputTokens: 100n, nanoUsd: 5_000n });
    expect(fold(sessions, given).sums(usage, 'records', 'hour')).toEqual({ '2026-11-22T10': 1n });
    expect(inAnyOrder([...given, account([response(1)], answer)])).toBeUndefined();
  });

  it('Subagents: answers claimed on their own cover nothing else of their turn', () => {
    const given = [
      tool('t1', answer),
      claim(response(1), answer),
      account(['turn:t1', response(1)], answer),
    ];
    expect(inAnyOrder(given)).toMatchObject({ records: 1n, inputTokens: 100n, nanoUsd: 5_000n });
  });

  it('counts nothing of a claim with covered tokens: the rest is rounding', () => {
    expect(
      inAnyOrder([
        claim('agent:SubA', { ...answer, costNanoUsd: 5_003 }),
        account(['agent:SubA'], answer),
      ]),
    ).toBeUndefined();
    expect(
      inAnyOrder([
        claim('agent:SubA', answer),
        account(['agent:SubA'], { ...answer, costNanoUsd: null }),
      ]),
    ).toBeUndefined();
  });

  it('counts a price without tokens, as far as it is not accounted for', () => {
    const priced = spendOf({ inputTokens: 0, costNanoUsd: 9 });
    expect(inAnyOrder([tool('t1', priced)])).toMatchObject({
      records: 1n,
      inputTokens: 0n,
      nanoUsd: 9n,
    });
    expect(
      inAnyOrder([
        tool('t1', priced),
        account(['turn:t1'], spendOf({ inputTokens: 0, costNanoUsd: 4 })),
      ]),
    ).toMatchObject({
      nanoUsd: 5n,
    });
    expect(inAnyOrder([tool('t1', priced), account(['turn:t1'], priced)])).toBeUndefined();
  });

  it('never leaves more reasoning than output', () => {
    const thinking = { ...double, reasoningTokens: 30 };
    expect(
      inAnyOrder([
        claim('agent:SubA', thinking),
        account(['agent:SubA'], { ...answer, reasoningTokens: null }),
      ]),
    ).toMatchObject({
      outputTokens: 20n,
      reasoningTokens: 20n,
    });
  });

  it('takes a claim without figures for none, and an account without figures too', () => {
    const none = spendOf({
      inputTokens: 0,
      costNanoUsd: null,
      reported: false,
      costSource: 'unpriced',
    });
    expect(inAnyOrder([claim('agent:SubA', none), tool('t1', none)])).toBeUndefined();
    const state = fold(sessions, [
      claim('agent:SubA', none),
      account(['agent:SubA'], none),
    ]).states.get('s1');
    expect(JSON.parse(sessions.encode(state as NonNullable<typeof state>))).toMatchObject({
      claims: null,
      usage: [],
    });
    expect(inAnyOrder([claim('agent:SubA', answer), account(['agent:SubA'], none)])).toMatchObject({
      records: 1n,
      inputTokens: 100n,
    });
  });

  it('counts a tool’s nested usage as it is where its turn is not known', () => {
    expect(inAnyOrder([tool(null, answer), account(['turn:t1'], answer)])).toMatchObject({
      records: 1n,
      inputTokens: 100n,
    });
  });

  it('counts unpriced claims as unpriced while something is left of them', () => {
    const unpriced = { ...double, costNanoUsd: null, costSource: 'unpriced' as const };
    expect(
      inAnyOrder([claim('agent:SubA', unpriced), account(['agent:SubA'], answer)]),
    ).toMatchObject({
      unpricedRecords: 1n,
      nanoUsd: 0n,
    });
    expect(
      inAnyOrder([claim('agent:SubA', unpriced), account(['agent:SubA'], double)]),
    ).toBeUndefined();
  });

  it('counts under the parent’s attribution, in the claim’s minute, and moves', () => {
    const given = [
      claim('agent:SubA', answer, '2026-11-22T23:30:00.000Z'),
      attributed('2026-11-22T09:00:00.000Z', {
        project: 'shop',
        offset: 60,
        billing: { anthropic: 'subscription' },
      }),
    ];
    const rows = fold(sessions, given).sums(
      usage,
      'nanoUsd',
      'project',
      'day',
      'kind',
      'billing',
      'provider',
      'model',
    );
    expect(rows).toEqual({ 'shop,2026-11-23,tool,subscription,anthropic,sonnet': 5_000n });
  });

  it('emits to the totals only what grows', () => {
    const folded = fold(sessions, [
      claim('agent:SubA', double),
      account(['agent:SubA'], double),
      turn(at, { costNanoUsd: 7 }),
    ]);
    expect(folded.sums(usage, 'nanoUsd', 'kind')).toEqual({ turn: 7n });
    expect(folded.sums(totals, 'nanoUsd', 'kind')).toEqual({ tool: 10_000n, turn: 7n });
    const inTime = fold(sessions, [account(['agent:SubA'], double), claim('agent:SubA', double)]);
    expect(inTime.sums(totals, 'nanoUsd', 'kind')).toEqual({});
  });

  it('counts a repeated answer no more in the totals when it turns out to be older', () => {
    const folded = fold(sessions, [
      claim(response(1), answer, later),
      claim(response(1), answer, at),
    ]);
    expect(folded.sums(totals, 'nanoUsd', 'kind')).toEqual({ tool: 5_000n });
    const pooled = fold(createSessions(noRules, { ...limitsWide, claimsMax: 0 }), [
      claim('agent:A', answer, later),
      claim('agent:B', answer, at),
    ]);
    expect(pooled.sums(usage, 'nanoUsd', 'kind')).toEqual({ tool: 10_000n });
    expect(pooled.sums(totals, 'nanoUsd', 'kind')).toEqual({ tool: 10_000n });
  });

  it('never counts more than is claimed, even where an answer and its repeat differ', () => {
    const given = [
      claim(response(1), double),
      account(['turn:t1', response(1)], answer),
      tool('t1', answer),
    ];
    expect(inAnyOrder(given)).toMatchObject({ records: 1n, inputTokens: 100n, nanoUsd: 5_000n });
  });

  it.each([
    'response:a1',
    `response:${'0'.repeat(17)}`,
    `a response:${'0'.repeat(16)}`,
    `response:${'A'.repeat(16)}`,
  ])('takes a key that only looks like an answer for a sum: %s', (key) => {
    expect(inAnyOrder([claim(key, answer), claim(key, answer, later)])).toMatchObject({
      records: 2n,
    });
  });

  it('says nothing to the rollups where nothing changes', () => {
    const covered = fold(sessions, [
      account(['agent:A'], double),
      claim('agent:A', double),
      account(['turn:t1', response(1)], answer),
    ]);
    expect(covered.emitted).toEqual([]);
    const given = [
      claim(response(1), answer),
      claim(response(1), answer),
      claim(response(1), answer, later),
    ];
    expect(fold(sessions, given).emitted).toHaveLength(2);
    const shrunk = fold(sessions, [claim('agent:A', double), account(['agent:A'], answer)]).emitted;
    expect(shrunk.map(({ rollup }) => rollup)).toEqual([usage, totals, usage]);
  });

  it('are kept in few letters: what later versions read', () => {
    const given = [
      ...[claim(response(1), answer), account(['turn:t1', response(1)], answer)],
      ...[
        account(['turn:t1', response(2)], answer),
        account([response(3)], answer),
        account(['turn:t1', response(4)], answer),
      ],
      ...[
        claim(response(5), answer),
        claim(response(6), { ...answer, model: 'other' }, later),
        claim(response(7), answer),
      ],
      claim(response(8), answer, later),
      claim('agent:A', answer),
    ];
    const { claims } = JSON.parse(fold(sessions, given).documents().s1 ?? '{}');
    const hex = (...numbers: number[]) =>
      numbers.map((number) => number.toString(16).padStart(16, '0')).join('');
    const figures = [1, 100, 20, 300, 40, 0, 5_000];
    const [atMs, laterMs] = [Date.parse(at), Date.parse(later)];
    expect(claims).toEqual({
      pooled: false,
      models: [
        ['anthropic', 'other'],
        ['anthropic', 'sonnet'],
      ],
      pool: [
        [0, 400, 80, 1_200, 160, 0, 20_000],
        [atMs, 1, ...figures.map((figure) => 5 * figure)],
        [laterMs, 0, ...figures],
      ],
      keys: [
        ['agent:A', [], [atMs, 1, ...figures]],
        ['turn:t1', [0, 200, 40, 600, 80, 0, 10_000]],
      ],
      covered: hex(1),
      accounted: [
        ['turn:t1', hex(2, 4)],
        [null, hex(3)],
      ],
      claimed: [
        [atMs, 1, [hex(5), ...figures], [hex(7), ...figures]],
        [laterMs, 0, [hex(6), ...figures]],
        [laterMs, 1, [hex(8), ...figures]],
      ],
    });
  });

  it('compares only the sums when there are too many keys', () => {
    const small = createSessions(noRules, { ...limitsWide, claimsMax: 2 });
    const given = [
      claim('agent:A', answer, later),
      claim('agent:B', double),
      claim(response(1), { ...answer, model: 'other' }),
      account(['agent:B'], double),
      account(['turn:t', response(2)], spendOf({ inputTokens: 60, costNanoUsd: 0 })),
    ];
    for (const events of permutations(given)) {
      const folded = fold(small, events, { isReloaded: true });
      expect(folded.states.get('s1')?.claims).toMatchObject({
        isPooled: true,
        keys: new Map(),
        responses: new Map(),
      });
      expect(folded.rows(usage, 'kind').tool).toMatchObject({
        inputTokens: 140n,
        outputTokens: 40n,
        nanoUsd: 10_000n,
      });
    }
  });
});

/** One answer of an agent. */
interface Answer {
  readonly number: number;
  readonly spend: Spend;
  /** It has the extension: its session says what it spent, and tells its parent. */
  readonly isRecorded: boolean;
}

interface Agent {
  readonly how: 'omp' | 'pi repeats' | 'pi sums';
  readonly isRepeated: boolean;
  readonly answers: readonly Answer[];
  readonly children: readonly Agent[];
}

const answers = fc
  .array(
    fc.record({
      input: fc.nat(99),
      output: fc.nat(9),
      cost: fc.option(fc.nat(999)),
      isReported: fc.boolean(),
      isRecorded: fc.boolean(),
    }),
    { maxLength: 3 },
  )
  .map((list) =>
    list.map(({ input, output, cost, isReported, isRecorded }, number): Answer => {
      const spent = {
        inputTokens: input + 1,
        outputTokens: output,
        costNanoUsd: cost,
        costSource: cost === null ? 'unpriced' : 'catalog',
      } as const;
      const lost = {
        inputTokens: 0,
        costNanoUsd: null,
        costSource: 'unpriced',
        reported: false,
      } as const;
      return { number, spend: spendOf(isReported ? spent : lost), isRecorded };
    }),
  );
const agent: (depth: number) => fc.Arbitrary<Agent> = fc.memo((depth) =>
  fc.record({
    how: fc.constantFrom('omp' as const, 'pi repeats' as const, 'pi sums' as const),
    isRepeated: fc.boolean(),
    answers,
    children: depth <= 1 ? fc.constant([]) : fc.array(agent(depth - 1), { maxLength: 2 }),
  }),
);

/**
 * What an agent and those below it make happen: its own turns where they are recorded, and what its
 * parent's session says of it.
 */
function tell(
  { how, isRepeated, answers: own, children }: Agent,
  parent: string,
  place: string,
): LedgerEvent[] {
  const name = `${parent}.${place}`;
  const [key, time] = [
    how === 'omp' ? `agent:${name}` : `turn:${name}`,
    new Date(Date.parse(at) + place.length * 90_000).toISOString(),
  ];
  const hash = (number: number) =>
    response(Number.parseInt(name.replaceAll(/\D/g, '9'), 10) * 1_000 + number);
  const recorded = own
    .filter(({ isRecorded }) => isRecorded)
    .flatMap(({ number, spend }) => [
      turn(time, spend, name),
      account(how === 'omp' ? [key] : [key, hash(number)], spend, parent),
    ]);
  const claimed = own.filter(({ spend }) => spend.reported);
  const halves = isRepeated ? [claimed.slice(0, 1), claimed.slice(1)] : [claimed];
  const claims =
    how === 'pi repeats'
      ? halves
          .flatMap((half) => [...half, ...claimed.slice(0, 1)])
          .map(({ number, spend }) => claim(hash(number), spend, time, parent))
      : halves
          .filter((half) => half.length > 0)
          .map((half) => claim(key, sumOf(half), time, parent));
  return [
    ...recorded,
    ...claims,
    ...children.flatMap((child, index) => tell(child, name, `${index}`)),
  ];
}

function sumOf(list: readonly Answer[]): Spend {
  const sum = (of: (spend: Spend) => number | null) =>
    list.reduce((total, { spend }) => total + (of(spend) ?? 0), 0);
  return spendOf({
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    costNanoUsd: sum(({ costNanoUsd }) => costNanoUsd),
  });
}

function answersOf({ answers: own, children }: Agent): Answer[] {
  return [...own, ...children.flatMap(answersOf)];
}

const story = fc
  .array(agent(2), { minLength: 1, maxLength: 3 })
  .map((agents) => ({
    agents,
    events: [
      turn(at, { costNanoUsd: 1 }, 'root'),
      attributed(at, { project: 'shop' }, 'root'),
      attributed(later, { project: 'side', billing: {} }, 'root'),
      ...agents.flatMap((each, index) => tell(each, 'root', `${index}`)),
    ],
  }))
  .chain(({ agents, events }) =>
    fc.record({
      agents: fc.constant(agents),
      events: fc.constant(events),
      shuffled: fc.shuffledSubarray(events, { minLength: events.length, maxLength: events.length }),
      reloads: fc
        .infiniteStream(fc.boolean())
        .map(
          (stream) => new Set(events.map((_, index) => index).filter(() => stream.next().value)),
        ),
    }),
  );

describe('a family of agents, whatever the order of events, split over commits and reloads', () => {
  it('gives the documents and rows of a reference that sees everything at once', () => {
    fc.assert(
      fc.property(story, ({ events, shuffled, reloads }) => {
        const [one, other] = [
          fold(sessions, events),
          fold(sessions, shuffled, { isReloaded: (index) => reloads.has(index) }),
        ];
        expect(other.documents()).toEqual(one.documents());
        const rows = other.rows(usage, ...usage.dimensions);
        expect(rows).toEqual(one.rows(usage, ...usage.dimensions));
        const expected = Object.entries(expectedUsage(events, limitsWide));
        expect(Object.keys(rows)).toEqual(expected.map(([key]) => key));
        for (const [key, amounts] of expected) expect(rows[key]).toMatchObject(amounts);
      }),
      { numRuns: 150 },
    );
  });

  it('counts every answer once, recorded or repeated', () => {
    fc.assert(
      fc.property(story, ({ agents, shuffled }) => {
        const all = agents.flatMap(answersOf).filter(({ spend }) => spend.reported);
        const found = fold(sessions, shuffled, { isReloaded: true }).rows(usage)[''];
        expect(found?.inputTokens).toBe(BigInt(sumOf(all).inputTokens + 1));
        expect(found?.outputTokens).toBe(BigInt(sumOf(all).outputTokens));
        expect(found?.nanoUsd).toBe(BigInt((sumOf(all).costNanoUsd ?? 0) + 1));
      }),
      { numRuns: 150 },
    );
  });
});
