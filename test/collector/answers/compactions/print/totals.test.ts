import type { CompactionTotals, CompactionTotalsOfBilling } from '@pi-ledger/contract/answers';
import { expect, it } from 'vitest';
import {
  totalNotes,
  totalsTable,
} from '../../../../../collector/answers/compactions/print/totals.ts';
import { netText } from '../../../../../collector/cli/output/compaction-row.ts';
import { drawTable } from '../../../../../collector/cli/output/table.ts';
import { inFull } from '../../../../../collector/cli/output/writing.ts';

const none: CompactionTotalsOfBilling = {
  costNanoUsd: '0',
  summaries: 0,
  unreportedCosts: 0,
  cacheMissNanoUsd: '0',
  unknownCacheMisses: 0,
  netNanoUsd: '0',
  nets: 0,
  upperBoundNets: 0,
  unknownNets: 0,
};
const total: CompactionTotals = {
  compactions: 5,
  branchSummaries: 0,
  failures: 0,
  byBilling: {
    metered: {
      ...none,
      costNanoUsd: '2500000000',
      summaries: 2,
      netNanoUsd: '-1080000000',
      nets: 2,
    },
    subscription: {
      ...none,
      costNanoUsd: '1000000000',
      summaries: 3,
      unreportedCosts: 1,
      netNanoUsd: '3000000000',
      nets: 3,
      upperBoundNets: 1,
    },
    unknown: none,
  },
  savedTokens: 0,
  regretReads: 0,
  regretTokens: 0,
  regrettedCompactions: 0,
  regretRate: 0,
};

const drawn = (width: number | null) =>
  drawTable(totalsTable('project', [], total)(inFull), { width, colour: false }).lines;

it('keeps costs and nets of different billing apart, and marks what is only a bound', () => {
  const lines = drawn(null);
  expect(lines.map((line) => String(line).split(/ {2,}/).slice(0, 5))).toEqual([
    ['project', 'metered', 'subscription', 'net metered', 'net subscription'],
    [expect.stringMatching(/^─+$/)],
    ['total', '$2.50', '≥ $1.00', '-$1.08', '≤ +$3.00'],
  ]);
  expect(totalNotes(total)).toEqual([
    { mark: '≥', text: '1 summary of unknown cost: not reported, or no price' },
    { mark: '≤', text: 'a net leaves out costs that are not known' },
    { text: 'subscription: at list price, not billed' },
  ]);
});

it.each([
  [null, null, 'n/a'],
  ['1080000000', false, '+$1.0800'],
  ['1080000000', true, '≤ +$1.0800'],
  ['-20000000', true, '≤ -$0.0200'],
])('writes a net of %s, bound: %s, as %s', (netNanoUsd, netIsUpperBound, text) => {
  expect(netText({ netNanoUsd, netIsUpperBound })).toBe(text);
});

it('keeps the net of metered summaries longest on a narrow terminal', () => {
  const head = (width: number) => String(drawn(width)[0]).split(/ {2,}/);
  const first = ['project', 'metered', 'subscription'];
  expect(head(70)).toEqual([...first, 'net metered', 'compactions']);
  expect(head(50)).toEqual([...first, 'compactions']);
});
