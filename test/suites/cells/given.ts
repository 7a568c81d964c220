/** What the ledgers of the suite are filled with. */
import { join } from 'node:path';
import type { BudgetDefinition, LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { type NamedBudget, nameBudget } from '../../../collector/answers/budgets/definition.ts';
import { demoMonth } from '../../../collector/cli/demo/month.ts';
import { anyEvent, copyEvent } from '../../collector/projections/support/any-event.ts';
import { moves } from '../../collector/projections/support/given-moves.ts';
import { measuredEvent } from '../../collector/projections/timings/measured-events.ts';
import { commandLine } from '../../collector/reconcile/support/command-line.ts';
import { corpusDirectory } from '../../collector/reconcile/support/corpus.ts';
import { exampleEvent } from '../../collector/support/events.ts';
import { openStoreToRead } from '../../collector/support/open-store.ts';
import type { Given } from './ledger.ts';

const eventsPerReceipt = 40;

/** Some events are received together, long after they happened. */
export function received(events: readonly LedgerEvent[]): Given[] {
  const firstMs = Date.parse('2026-12-01T00:00:00.000Z');
  return events.map((event, index) => ({
    event,
    receivedAtMs: firstMs + Math.floor(index / eventsPerReceipt) * 1_000,
  }));
}

const monthEnd = new Date('2026-11-20T00:00:00Z');

/** Some days of the demo, with budgets that came into other states. */
export function month(seed: number, days: number, sessionsPerDay: number): Given[] {
  const events = [...demoMonth({ until: monthEnd, days, seed, sessionsPerDay })];
  return received([...events, ...budgetEvents()]);
}

function budgetEvents(): LedgerEvent[] {
  const place = { source: '/collector', sequence: 0 };
  return budgets.flatMap(({ name, version, definition }, index) => [
    exampleEvent({
      ...{ ...place, number: 900_000 + index, type: 'pi.budget.defined.v1', subject: name },
      time: `2026-11-0${index + 1}T00:00:00.000Z`,
      data: { budget: name, version, revision: 1, definition },
    }),
    ...['warning', 'over'].map((to, step) =>
      exampleEvent({
        ...{ ...place, type: 'pi.budget.crossed.v1', subject: name },
        number: 910_000 + 10 * index + step,
        time: `2026-11-1${index}T0${step}:00:00.000Z`,
        data: { budget: name, version, number: step + 1, to },
      }),
    ),
  ]);
}

const nobody = { project: null, user: null, model: null, provider: null, label: null };
const usual: BudgetDefinition = {
  ...nobody,
  ...{ per: 'month', unit: 'metered dollars', limit: '100', warnAt: 80, isHard: false },
  timeZone: 'Europe/Berlin',
};

export const budgets: readonly NamedBudget[] = [
  nameBudget('all', { ...usual, limit: '5' }),
  nameBudget('shop', { ...usual, project: 'demo-shop', per: 'week', limit: '0.5' }),
  nameBudget('tokens', { ...usual, unit: 'tokens', limit: '1000000', user: 'demo-ada' }),
];

/**
 * The accounting corpus as the real importers bring it into a ledger: forks, copies whose owner
 * became known later, subagents and their claims.
 */
export async function corpus(directory: string): Promise<Given[]> {
  const ledger = commandLine(directory);
  const { code, complained } = await ledger.run('import', '--pi', join(corpusDirectory, 'cases'));
  if (code !== 0) throw new Error(complained);
  const { log, close } = await openStoreToRead(`sqlite:${join(ledger.home, 'ledger.db')}`);
  const given: Given[] = [];
  for (let after = 0; ; ) {
    const read = await log.read(after, 1_000);
    given.push(...read.map(({ event, receivedAtMs }) => ({ event, receivedAtMs })));
    const last = read.at(-1);
    if (last === undefined) break;
    after = last.position;
  }
  await close();
  return given;
}

const sessions = ['s1', 's2', 's3', 's4', 's5', 's6', '\u{e000}', '\u{1f600}'];

/** Of one of many sessions, some as its own parent's child; names that sort differently by code. */
const spread: fc.Arbitrary<readonly LedgerEvent[]> = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: anyEvent },
      { weight: 1, arbitrary: copyEvent },
      { weight: 2, arbitrary: measuredEvent },
    ),
    fc.constantFrom(...sessions),
    fc.constantFrom(...sessions),
    fc.nat(9),
  )
  .map(([each, subject, other, chance]) => {
    const source = `/producers/p${chance % 3}`;
    if (each.type === 'pi.session.started.v1' && chance < 6)
      return [{ ...each, subject, source, data: { ...each.data, parentSessionId: other } }];
    const own: LedgerEvent = { ...each, subject, source };
    return isEntry(own) && chance === 0 && subject !== other ? [own, ...moves(own, other)] : [own];
  });

function isEntry({ type }: LedgerEvent): boolean {
  return /^pi\.(turn|compaction|tool)\.completed\.v1$/.test(type);
}

export const anyEvents: fc.Arbitrary<readonly LedgerEvent[]> = fc
  .array(spread, { minLength: 20, maxLength: 90, size: 'max' })
  .map((each) => each.flat());
