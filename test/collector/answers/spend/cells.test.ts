import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsOf, createSpendLabeller } from '../../../../collector/answers/spend/cells.ts';
import { noRules } from '../../../../collector/projections/rules.ts';
import { noVariant } from '../../../../collector/projections/session/line-name.ts';
import { createSessions } from '../../../../collector/projections/sessions.ts';
import { usage } from '../../../../collector/projections/usage.ts';
import { fits } from '../../../../collector/views/match-condition.ts';
import { fold } from '../../projections/support/fold.ts';
import { attributed, event, spendOf, turn } from '../../projections/support/given.ts';

const limits = {
  attributionsMax: 10,
  cellsMax: 4,
  longCellsMax: 16_000,
  toolNamesMax: 10,
  claimKeysMax: 10,
  copiesMax: 10,
  claimsMax: 10,
};
const rules = {
  projects: [{ match: 'secret', ignore: true as const }],
  billing: { openai: 'subscription' as const },
  labels: [],
};

const minute = fc
  .integer({ min: 0, max: 180 })
  .map((n) => new Date(Date.UTC(2026, 10, 22, 17) + n * 60_000).toISOString());
const provider = fc.constantFrom('anthropic', 'openai');
const worldEvent = fc.oneof(
  {
    weight: 1,
    arbitrary: minute.map((at) =>
      event(
        'pi.subagent.claimed.v1',
        { at },
        { key: 'agent:A', claimed: spendOf({ costNanoUsd: 5 }) },
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: minute.map((at) =>
      event(
        'pi.subagent.accounted.v1',
        { at },
        { keys: ['agent:A'], accounted: spendOf({ costNanoUsd: 5 }) },
      ),
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(minute, provider)
      .map(([at, name]) => turn(at, { provider: name, costNanoUsd: 7 })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(minute, fc.constantFrom('shop', 'secret', 'blog'), fc.constantFrom(345, 0, 60))
      .map(([at, project, offset]) =>
        attributed(at, { project, offset, billing: { anthropic: 'metered' } }),
      ),
  },
);

describe('the rows of a session', () => {
  it('are those of the fold, in minutes and quarters of an hour, with rules', () => {
    let coarse = 0;
    fc.assert(
      fc.property(fc.array(worldEvent, { minLength: 1, maxLength: 14 }), (given) => {
        const folded = fold(createSessions(rules, limits), given);
        const state = folded.states.get('s1');
        if (state === undefined) throw new Error('no state');
        coarse += state.spending.cellMinutes === 15 ? 1 : 0;
        const sums: Record<string, bigint> = {};
        for (const { dimensions, measures } of cellsOf(state)) {
          expect(Object.values(measures).some((measure) => measure !== 0n)).toBe(true);
          const row = usage.dimensions.map((name) => dimensions[name]).join();
          sums[row] = (sums[row] ?? 0n) + (measures.nanoUsd ?? 0n);
        }
        expect(sums).toEqual(folded.sums(usage, 'nanoUsd', ...usage.dimensions));
      }),
    );
    expect(coarse).toBeGreaterThan(0);
  });

  it('turn the day within an hour where midnight does', () => {
    const given = ['18:14', '18:15', '18:16'].map((time) => turn(`2026-11-22T${time}:00.000Z`));
    const state = fold(createSessions(noRules, limits), [
      attributed('2026-11-22T00:00:00.000Z', { offset: 345 }),
      ...given,
    ]).states.get('s1');
    if (state === undefined) throw new Error('no state');
    expect([...cellsOf(state)].map(({ dimensions }) => dimensions.day)).toEqual([
      '2026-11-22',
      '2026-11-23',
      '2026-11-23',
    ]);
  });

  it('stand where a single record of theirs counts, too', () => {
    const given = [
      attributed('2026-11-22T18:00:00.000Z', { project: 'shop' }),
      attributed('2026-11-22T18:10:00.000Z', { project: 'blog' }),
    ];
    const turns = ['18:01', '18:09', '18:16', '18:31', '18:46'].map((time) =>
      turn(`2026-11-22T${time}:00.000Z`),
    );
    const state = fold(createSessions(noRules, limits), [...given, ...turns]).states.get('s1');
    if (state === undefined) throw new Error('no state');
    const at = Date.parse('2026-11-22T18:01:00Z') / 60_000;
    expect(
      createSpendLabeller(state)({
        minute: at,
        name: { ...noVariant, provider: 'anthropic', model: 'sonnet', kind: 'turn' },
      }),
    ).toMatchObject({ project: 'blog' });
  });
});

describe('conditions on a row', () => {
  const row = { project: 'shop', day: '2026-11-22', user: '' };

  it.each([
    [[], true],
    [[{ column: 'project', is: 'in' as const, values: ['blog', 'shop'] }], true],
    [[{ column: 'project', is: 'in' as const, values: ['blog'] }], false],
    [[{ column: 'user', is: 'in' as const, values: [''] }], true],
    [[{ column: 'day', is: 'from' as const, values: ['2026-11-22'] }], true],
    [[{ column: 'day', is: 'from' as const, values: ['2026-11-23'] }], false],
    [[{ column: 'day', is: 'before' as const, values: ['2026-11-22'] }], false],
    [[{ column: 'day', is: 'before' as const, values: ['2026-11-23'] }], true],
    [
      [
        { column: 'day', is: 'from' as const, values: ['2026-11-22'] },
        { column: 'project', is: 'in' as const, values: ['blog'] },
      ],
      false,
    ],
  ])('%j fit: %s', (conditions, expected) => {
    expect(fits(row, conditions)).toBe(expected);
  });
});
