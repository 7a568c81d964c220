/** The cases of the corpus that ask more than totals: labels, commits and FOCUS. */
import { describe, expect, it } from 'vitest';
import {
  asksMore,
  eventsOf,
  type Program,
  wrongAnswers,
} from '../../../accounting-corpus/answers.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine } from '../support/command-line.ts';
import { type CorpusCase, corpusCases, nanoUsdOf } from '../support/corpus.ts';

const directory = temporaryDirectory();
const cases = corpusCases().filter(asksMore);

async function ledgerOf(each: CorpusCase, order: 'files first' | 'events first'): Promise<Program> {
  const ledger = commandLine(directory, each.config ?? {}, each.home);
  const program: Program = async (...argv) => {
    const { code, printed, complained } = await ledger.run(...argv);
    expect({ argv, code, complained: code === 0 ? '' : complained }).toEqual({
      argv,
      code: 0,
      complained: '',
    });
    return printed;
  };
  const events = eventsOf(each);
  const takesIn = [['import'], ...(events === null ? [] : [['import-events', events]])];
  for (const argv of order === 'files first' ? takesIn : takesIn.toReversed())
    await program(...argv);
  for (const argv of each.afterwards ?? []) await program(...argv);
  return program;
}

describe('a case that asks what something cost', () => {
  it('is there for labels by rule, agent and after the fact, for commits, and for FOCUS', () => {
    expect(cases.map(({ name }) => name)).toEqual([
      'label-by-rule',
      'label-by-agent',
      'label-after-the-fact',
      'commits',
      'focus',
    ]);
  });

  it.each(cases)('$name: answers that add up to its total', ({ costBy, focus, totals }) => {
    const sum = (amounts: Readonly<Record<string, string>>) =>
      Object.values(amounts).reduce((all, usd) => all + BigInt(nanoUsdOf(usd)), 0n);
    const { costUsd, subscriptionUsd } = totals;
    const total = sum({ costUsd, subscriptionUsd });
    const { ListCost = { costUsd, subscriptionUsd }, BilledCost, EffectiveCost } = focus ?? {};
    for (const amounts of [...Object.values(costBy ?? {}), ListCost])
      expect(sum(amounts)).toBe(total);
    expect(EffectiveCost).toEqual(BilledCost);
    expect(BilledCost?.metered).toBe(focus?.ListCost?.metered);
  });

  it.each(cases)('$name: is answered, and the same after a rebuild', async (each) => {
    const program = await ledgerOf(each, 'files first');
    expect(await wrongAnswers(program, each)).toEqual([]);
    for (const view of ['sessions', 'heads']) await program('rebuild', view);
    expect(await wrongAnswers(program, each)).toEqual([]);
  });

  it.each(cases)('$name: is answered when live events come before the files', async (each) => {
    expect(await wrongAnswers(await ledgerOf(each, 'events first'), each)).toEqual([]);
  });

  it.each(cases)('$name: is not answered by the session files alone', async (each) => {
    const ledger = commandLine(directory, {}, each.home);
    const program: Program = async (...argv) => (await ledger.run(...argv)).printed;
    await program('import');
    expect(await wrongAnswers(program, each)).not.toEqual([]);
  });
});
