/** Subagents: families of agents whose answers are recorded, repeated, or both. */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usage } from '../../../../collector/projections/usage.ts';
import { sessions } from '../support/bare-sessions.ts';
import { fold } from '../support/fold.ts';
import { attributed, event, limitsWide, spendOf, turn } from '../support/given.ts';
import { at, claim } from '../support/given-claims.ts';
import { expectedUsage } from '../support/reference.ts';

const later = '2026-11-22T10:05:00.000Z';

const account = (keys: string[], accounted: Spend, session = 's1'): LedgerEvent =>
  event('pi.subagent.accounted.v1', { at, session }, { keys, accounted });

const response = (number: number): string => `response:${number.toString(16).padStart(16, '0')}`;

/** One answer of an agent. */
interface Answer {
  readonly number: number;
  readonly spend: Spend;
  /**
   * Whether it has the extension: its session records the answer and accounts for it to its parent.
   */
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
 * The events of an agent and its subagents: its recorded turns, and what its parent's session says
 * about it.
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
