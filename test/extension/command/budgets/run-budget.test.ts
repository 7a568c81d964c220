/** What one run may spend: each unit by itself, and what is left out named. */
import { describe, expect, it } from 'vitest';
import type { Allowance } from '../../../../contract/settings/setting.ts';
import { overRunBudget } from '../../../../extension/command/budgets/runs.ts';
import { readConfig } from '../../../../extension/config.ts';
import {
  noTotals,
  type SessionTotals,
  type SpentTotals,
} from '../../../../extension/live/totals.ts';

const usd = 1_000_000_000n;
type Billed = Partial<SpentTotals['metered']>;

function session(
  spent: Partial<Record<keyof SpentTotals, Billed>>,
  tokens = 0,
): { totals: SessionTotals } {
  const totals = noTotals();
  for (const billing of ['metered', 'subscription', 'unknown'] as const)
    Object.assign(totals.spent[billing], spent[billing]);
  totals.inputTokens = tokens;
  totals.cacheReadTokens = tokens;
  return { totals };
}

const metered = (nanoUsd: bigint): Allowance => ({ unit: 'metered dollars', amount: nanoUsd });

describe('the budget of a run', () => {
  it('is over once it is reached, by all sessions of the process together', () => {
    const run = [
      session({ metered: { nanoUsd: 3n * usd } }),
      session({ metered: { nanoUsd: 2n * usd } }),
    ];
    expect(overRunBudget(metered(5n * usd + 1n), run)).toBeNull();
    expect(overRunBudget(metered(5n * usd), run)).toBe('This run has spent $5.0000 of $5.0000.');
    expect(overRunBudget(metered(1n), [])).toBeNull();
  });

  it('never adds what a subscription covers to what is metered', () => {
    const run = [session({ metered: { nanoUsd: 3n * usd }, subscription: { nanoUsd: 4n * usd } })];
    expect(overRunBudget(metered(5n * usd), run)).toBeNull();
    expect(overRunBudget({ unit: 'list-price dollars', amount: 4n * usd }, run)).toBe(
      'This run has spent $4.0000 of $4.0000 at list price.',
    );
  });

  it.each<[string, Partial<Record<keyof SpentTotals, Billed>>]>([
    ['without a price', { metered: { unpricedRecords: 1 } }],
    ['that reported nothing', { metered: { unreportedRecords: 1 } }],
    ['of unknown billing', { unknown: { records: 1, nanoUsd: 9n * usd } }],
  ])('says that more is spent with records %s', (_, gap) => {
    const run = [session({ metered: { nanoUsd: 2n * usd } }), session(gap)];
    expect(overRunBudget(metered(2n * usd), run)).toBe('This run has spent ≥ $2.0000 of $2.0000.');
  });

  it('counts tokens of all kinds', () => {
    const run = [session({}, 600), session({}, 400)];
    expect(overRunBudget({ unit: 'tokens', amount: 2_001n }, run)).toBeNull();
    expect(overRunBudget({ unit: 'tokens', amount: 2_000n }, run)).toBe(
      'This run has used 2,000 of 2,000 tokens.',
    );
  });
});

describe('PI_LEDGER_RUN_BUDGET', () => {
  const read = (text: string) =>
    readConfig({ PI_LEDGER_HOME: '/nowhere', PI_LEDGER_RUN_BUDGET: text });

  it.each<[string, Allowance]>([
    ['5 metered dollars', metered(5n * usd)],
    ['0.25 list-price dollars', { unit: 'list-price dollars', amount: usd / 4n }],
    ['0.000000001 metered dollars', metered(1n)],
    ['200000 tokens', { unit: 'tokens', amount: 200_000n }],
    ['5 metered dollars ', metered(5n * usd)],
    ['\t 5  metered\u00a0dollars\n', metered(5n * usd)],
  ])('%s', (text, runBudget) => {
    expect(read(text)).toMatchObject({ outcome: 'ready', config: { runBudget } });
  });

  it.each(['5', '5 dollars', '$5', '0 tokens', '0.0 metered dollars', '1.5 tokens', '-1 tokens'])(
    '%s limits nothing: it is said, the run is recorded, and stops only where that is wished',
    (text) => {
      const problem = expect.stringMatching(/^PI_LEDGER_RUN_BUDGET is .+, expected "5 metered/);
      expect(read(text)).toMatchObject({
        ...{ outcome: 'ready', doubts: [], leftOut: [problem] },
        config: { runBudget: null, stopsRuns: null },
      });
      for (const wish of ['1', ' true ', 'perhaps'])
        expect(
          readConfig({
            ...{ PI_LEDGER_HOME: '/nowhere', PI_LEDGER_RUN_BUDGET: text },
            PI_LEDGER_STOP_WHEN_UNREADABLE: wish,
          }),
        ).toMatchObject({ outcome: 'ready', config: { stopsRuns: problem } });
    },
  );

  it('blanks alone are none', () => {
    expect(read(' \t')).toMatchObject({ config: { runBudget: null }, leftOut: [] });
  });

  it('a misspelt variable is named, and may stop a run as well', () => {
    const misspelt = { PI_LEDGER_HOME: '/nowhere', PI_LEDGER_RUN_BUGDET: '5 metered dollars' };
    const named = '`PI_LEDGER_RUN_BUGDET`: unknown; did you mean `PI_LEDGER_RUN_BUDGET`?';
    expect(readConfig(misspelt)).toMatchObject({ outcome: 'ready', leftOut: [named] });
    expect(readConfig({ ...misspelt, PI_LEDGER_STOP_WHEN_UNREADABLE: '1' })).toMatchObject({
      config: { stopsRuns: named },
    });
  });

  it('does not hold where nothing is recorded, which is said', () => {
    const broken = {
      ...{ PI_LEDGER_HOME: '/nowhere', PI_LEDGER_PORT: 'x' },
      PI_LEDGER_RUN_BUDGET: '5 metered dollars',
    };
    expect(readConfig(broken)).toMatchObject({
      ...{ outcome: 'broken', stopsRuns: false },
      message: expect.stringContaining('the budget of this run does not hold'),
    });
    expect(readConfig({ ...broken, PI_LEDGER_STOP_WHEN_UNREADABLE: '1' })).toMatchObject({
      stopsRuns: true,
    });
  });
});
