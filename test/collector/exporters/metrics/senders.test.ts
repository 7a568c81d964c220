/** Each sender has a number of series of its own, whatever others send. */
import type { Attributes } from '@pi-ledger/contract/telemetry/counters';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exposition } from '../../../../collector/exporters/metrics/exposition.ts';
import { createPushReader } from '../../../../collector/exporters/metrics/readers.ts';
import { createBackend, numbersIn, sums } from './support/backend.ts';
import { memoryCheckpoints } from './support/checkpoints.ts';
import { counting } from './support/counting.ts';

const project = (name: string): Attributes => ({ 'pi.project': name, 'pi.billing': 'metered' });

function world(limits?: { readonly senderSeriesMax: number }) {
  const given = counting();
  given.declare('cost');
  const checkpoints = memoryCheckpoints();
  const start = () =>
    createPushReader({
      counters: { read: async () => given.reading() },
      checkpoints,
      now: () => 1_000,
      ...(limits === undefined ? {} : { limits }),
    });
  let reader = start();
  return {
    given,
    spend: (sender: string, name: string, amount = 1n) =>
      given.add('cost', project(name), amount, sender),
    restart() {
      reader = start();
    },
    async export(): Promise<Exposition> {
      const cycle = await reader.next();
      if (cycle === null) throw new Error('There are no counters.');
      reader.arrived(cycle);
      return cycle.exposition;
    },
  };
}

/** By project; those that are hidden have no name. */
const costs = (exposition: Exposition) => numbersIn(exposition, 'pi.cost.usd');

function hiddenIn({ metrics }: Exposition): bigint {
  const hidden = metrics.find(({ metric }) => metric.name === 'pi.metrics.hidden_series');
  const [point] = hidden?.points ?? [];
  return point !== undefined && 'amount' in point ? point.amount : 0n;
}

describe('a sender of very many names', () => {
  it('hides its own, and none of those that others send before or after', async () => {
    const { given, spend, export: exported } = world();
    spend('ada', 'ada-before');
    for (let name = 0; name < 2_500; name += 1) spend('eve', `eve-${name}`);
    await exported();
    for (let name = 0; name < 500; name += 1) spend('ada', `ada-${name}`);
    await exported();
    const shown = await exported();
    const names = Object.keys(costs(shown));
    expect(names.filter((name) => name.startsWith('ada-'))).toHaveLength(501);
    expect(names.filter((name) => name.startsWith('eve-'))).toHaveLength(1_000);
    expect(hiddenIn(shown)).toBe(1_500n);
    expect(sums(shown.metrics)).toEqual(sums(given.reading().metrics));
  });

  it('cannot hide a name by sending it first: what others send of it is shown', async () => {
    const { spend, export: exported } = world({ senderSeriesMax: 1 });
    for (const name of ['one', 'two', 'three']) spend('eve', name, 5n);
    const [kept = ''] = Object.keys(costs(await exported())).filter((name) => name !== '');
    const stolen = ['one', 'two', 'three'].find((name) => name !== kept) ?? '';
    spend('ada', stolen, 7n);
    await exported();
    expect(costs(await exported())).toEqual({ [kept]: [5n], [stolen]: [7n], '': [10n] });
  });

  it('shows the same of one set of names, in whatever order they came', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
    const shownIn = async (order: readonly string[]) => {
      const { spend, export: exported } = world({ senderSeriesMax: 10 });
      for (const name of order) spend('eve', name);
      return Object.keys(costs(await exported())).toSorted();
    };
    const shown = await shownIn(names);
    expect(shown).toHaveLength(11);
    const orders = fc.shuffledSubarray(names, { minLength: 30 });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        expect(await shownIn(order)).toEqual(shown);
      }),
      { numRuns: 30 },
    );
  });
});

interface Spent {
  readonly sender: string;
  readonly name: string;
  readonly amount: bigint;
}

/** By sender and name. */
function amountsOf(all: readonly Spent[]): ReadonlyMap<string, ReadonlyMap<string, bigint>> {
  const senders = new Map<string, Map<string, bigint>>();
  for (const { sender, name, amount } of all) {
    const own = senders.get(sender) ?? new Map<string, bigint>();
    senders.set(sender, own.set(name, (own.get(name) ?? 0n) + amount));
  }
  return senders;
}

it('no series falls, all add up, and nobody with few loses any, whatever is sent', async () => {
  const spent: fc.Arbitrary<Spent> = fc.record({
    sender: fc.constantFrom('ada', 'eve', 'mallory'),
    name: fc.nat(12).map((name) => `p${name}`),
    amount: fc.bigInt({ min: 1n, max: 9n }),
  });
  const step = fc.oneof(
    { weight: 6, arbitrary: spent },
    { weight: 2, arbitrary: fc.constant('export' as const) },
    { weight: 1, arbitrary: fc.constant('restart' as const) },
  );
  const senderSeriesMax = 4;
  const happened = async (steps: readonly (Spent | 'export' | 'restart')[]) => {
    const all = world({ senderSeriesMax });
    const backend = createBackend();
    for (const each of [...steps, 'export' as const, 'export' as const]) {
      if (each === 'restart') all.restart();
      else if (each === 'export') backend.receive(await all.export());
      else all.spend(each.sender, each.name, each.amount);
    }
    const shown = await all.export();
    backend.receive(shown);
    expect(sums(shown.metrics)).toEqual(sums(all.given.reading().metrics));
    const sent = amountsOf(steps.filter((each) => typeof each !== 'string'));
    const few = [...sent.values()].filter(({ size }) => size <= senderSeriesMax);
    for (const [name, amount] of few.flatMap((own) => [...own]))
      expect(costs(shown)[name]?.[0] ?? 0n).toBeGreaterThanOrEqual(amount);
  };
  const steps = fc.array(step, { maxLength: 80 });
  await fc.assert(fc.asyncProperty(steps, happened), { numRuns: 500 });
});

it('many senders of too many series: some are hidden for good, and all still add up', async () => {
  const { given, spend, export: exported, restart } = world({ senderSeriesMax: 2 });
  const backend = createBackend();
  for (let sender = 0; sender < 30; sender += 1) {
    for (let name = 0; name < 4; name += 1) spend(`s${sender}`, `p${sender}-${name}`);
    backend.receive(await exported());
    restart();
  }
  backend.receive(await exported());
  const shown = await exported();
  backend.receive(shown);
  expect(sums(shown.metrics)).toEqual(sums(given.reading().metrics));
  expect(Object.keys(costs(shown))).toHaveLength(20 * 2 + 1);
});
