/** Columns of the API, evaluated as Infinity does: what is unknown is empty or said, never zero. */
import jsonata from 'jsonata';
import { expect, it } from 'vitest';
import { type Cell, cellsOf } from '../../dashboards/grafana/kit/cells.ts';

interface Answer {
  readonly billing: string;
  readonly costNanoUsd: string | null;
  readonly name: string | null;
  readonly nanoUsd: string | null;
  readonly unpriced: number;
  readonly isBound: boolean;
  readonly part: number | string;
  readonly whole: number | null;
  readonly ms: number | null;
}

const cell = cellsOf<Answer>();
const answer: Answer = {
  ...{ billing: 'metered', costNanoUsd: '5000000000' },
  ...{ name: 'shop', nanoUsd: '1234567891234', unpriced: 0, isBound: false },
  ...{ part: 1, whole: 4, ms: 1_500 },
};

async function shown({ jsonata: expression }: Cell, given: Partial<Answer>): Promise<unknown> {
  return jsonata(expression).evaluate({ ...answer, ...given });
}

it('a text that is null is unknown, or what is said instead', async () => {
  expect(await shown(cell.text('Name', 'name'), {})).toBe('shop');
  expect(await shown(cell.text('Name', 'name'), { name: null })).toBe('unknown');
  expect(await shown(cell.note('Name', 'name', 'none'), { name: null })).toBe('none');
  expect(await shown(cell.yesNo('Bound', 'isBound', 'yes', 'no'), { isBound: true })).toBe('yes');
  expect(await shown(cell.yesNo('Bound', 'isBound', 'yes', 'no'), {})).toBe('no');
});

it('dollars are of nano-dollars; null is empty', async () => {
  expect(await shown(cell.usd('Cost', 'nanoUsd'), {})).toBe(1234.567891234);
  expect(await shown(cell.usd('Cost', 'nanoUsd'), { nanoUsd: '0' })).toBe(0);
  expect(await shown(cell.usd('Cost', 'nanoUsd'), { nanoUsd: null })).toBeUndefined();
});

it('a charge is under its own billing, and empty where it is not known', async () => {
  expect(await shown(cell.charge('Cost', 'metered'), {})).toBe(5);
  expect(await shown(cell.charge('Cost', 'subscription'), {})).toBeUndefined();
  expect(await shown(cell.charge('Cost', 'metered'), { costNanoUsd: null })).toBeUndefined();
});

it('a sum is empty where it is zero only because nothing in it has a price', async () => {
  const sum = cell.usdSum('Cost', 'nanoUsd', 'unpriced');
  expect(await shown(sum, { nanoUsd: '0' })).toBe(0);
  expect(await shown(sum, { nanoUsd: '0', unpriced: 2 })).toBeUndefined();
  expect(await shown(sum, { nanoUsd: '5000000000', unpriced: 2 })).toBe(5);
});

it.each([
  [{}, '$1,234.57'],
  [{ nanoUsd: '0' }, '$0.00'],
  [{ nanoUsd: '9999999' }, '<$0.01'],
  [{ nanoUsd: '10000000' }, '$0.01'],
  [{ nanoUsd: '5000000000', unpriced: 1 }, '≥ $5.00'],
  [{ nanoUsd: '0', unpriced: 1 }, 'n/a'],
])('the figure of %o is %s', async (given, written) => {
  expect(await shown(cell.figure('Cost', 'nanoUsd', 'unpriced'), given)).toBe(written);
});

it('marks say what a sum beside them is', async () => {
  expect(await shown(cell.atLeast('Least', 'unpriced'), { unpriced: 1 })).toBe('≥');
  expect(await shown(cell.atLeast('Least', 'unpriced'), {})).toBe(' ');
  expect(await shown(cell.atMost('Most', 'isBound'), { isBound: true })).toBe('≤');
  expect(await shown(cell.sumAtMost('Most', 'unpriced'), { unpriced: 3 })).toBe('≤');
});

it('a share of nothing is empty; counts may be text', async () => {
  const share = cell.share('Share', 'part', 'part', 'whole');
  expect(await shown(share, {})).toBe(0.2);
  expect(await shown(share, { part: '9007199254740993', whole: 0 })).toBe(1);
  expect(await shown(share, { part: 0, whole: 0 })).toBeUndefined();
  expect(await shown(cell.sum('Sum', 'part', 'whole'), { part: '2' })).toBe(6);
  expect(await shown(cell.count('Count', 'whole'), { whole: null })).toBeUndefined();
  expect(await shown(cell.seconds('Time', 'ms'), {})).toBe(1.5);
  expect(await shown(cell.seconds('Time', 'ms'), { ms: null })).toBeUndefined();
});
