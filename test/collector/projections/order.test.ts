import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { producers } from '../../../collector/projections/producers.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import { createSessions } from '../../../collector/projections/sessions.ts';
import { totals } from '../../../collector/projections/totals.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { anyEvent, copyEvent, inTwoOrders, otherEvent } from './support/any-event.ts';
import { fold } from './support/fold.ts';
import { limitsWide } from './support/given.ts';
import { expectedUsage, type RuledLabels } from './support/reference.ts';

const twoOrders = inTwoOrders(anyEvent);
const withCopies = inTwoOrders(
  fc.oneof({ weight: 2, arbitrary: anyEvent }, { weight: 1, arbitrary: copyEvent }),
);

const limits = {
  wide: limitsWide,
  narrow: {
    attributionsMax: 3,
    cellsMax: 2,
    longCellsMax: 16_000,
    toolNamesMax: 2,
    claimsMax: 6,
    copiesMax: 1,
  },
};

const rules = { ...noRules, labels: [{ project: 'shop', set: { team: 'rule', floor: '2' } }] };
const ruled: RuledLabels = (project) => (project === 'shop' ? { team: 'rule', floor: '2' } : {});

describe.each(Object.entries(limits))(
  'sessions, whatever the order of events (%s limits)',
  (_name, each) => {
    const sessions = createSessions(rules, each);

    it('gives the same documents and the same usage', () => {
      fc.assert(
        fc.property(withCopies, ([given, shuffled]) => {
          const [one, other] = [
            fold(sessions, given),
            fold(sessions, shuffled, { isReloaded: true }),
          ];
          expect(other.documents()).toEqual(one.documents());
          expect(other.rows(usage, ...usage.dimensions)).toEqual(
            one.rows(usage, ...usage.dimensions),
          );
        }),
        { numRuns: 200 },
      );
    });

    it('gives the usage that somebody would work out who knew everything from the start', () => {
      fc.assert(
        fc.property(withCopies, ([, given]) => {
          const rows = fold(sessions, given).rows(usage, ...usage.dimensions);
          expect(withoutZeros(rows)).toEqual(withoutZeros(expectedUsage(given, each, ruled)));
        }),
        { numRuns: 200 },
      );
    });

    it('counts the same in totals and usage, without estimates, claims and parts of costs', () => {
      fc.assert(
        fc.property(inTwoOrders(otherEvent), ([given]) => {
          const row = fold(sessions, given).rows(usage)[''] ?? {};
          const counted = totals.measures.map((name) => [name, row[name] ?? 0n] as const);
          expect(withoutZeros({ '': Object.fromEntries(counted) })).toEqual(
            withoutZeros(fold(sessions, given).rows(totals)),
          );
        }),
        { numRuns: 200 },
      );
    });

    it('never takes anything back from the totals', () => {
      fc.assert(
        fc.property(withCopies, ([given]) => {
          const { emitted } = fold(sessions, given);
          expect(
            emitted.filter(
              ({ rollup, measures }) =>
                rollup === totals && measures.some((measure) => measure < 0n),
            ),
          ).toEqual([]);
        }),
        { numRuns: 200 },
      );
    });

    it('counts no less in totals than in usage while claims are compared singly', () => {
      const exact = createSessions(noRules, { ...each, claimsMax: limitsWide.claimsMax });
      fc.assert(
        fc.property(twoOrders, ([given]) => {
          const folded = fold(exact, given);
          const [total, used] = [folded.rows(totals)[''] ?? {}, folded.rows(usage)[''] ?? {}];
          expect(
            totals.measures.filter((name) => (total[name] ?? 0n) < (used[name] ?? 0n)),
          ).toEqual([]);
        }),
        { numRuns: 200 },
      );
    });
  },
);

function withoutZeros(
  rows: Readonly<Record<string, Readonly<Record<string, bigint>>>>,
): Record<string, Record<string, bigint>> {
  const present = Object.entries(rows).map(
    ([key, row]) =>
      [key, Object.fromEntries(Object.entries(row).filter(([, amount]) => amount !== 0n))] as const,
  );
  return Object.fromEntries(present.filter(([, row]) => Object.keys(row).length > 0));
}

describe('producers, whatever the order of events', () => {
  it('gives the same documents', () => {
    fc.assert(
      fc.property(twoOrders, ([given, shuffled]) => {
        const withoutReceipt = (body: string) => ({ ...JSON.parse(body), lastReceivedAtMs: 0 });
        const documents = (events: readonly LedgerEvent[]) =>
          Object.values(fold(producers, events).documents()).map(withoutReceipt);
        expect(documents(shuffled)).toEqual(documents(given));
      }),
      { numRuns: 200 },
    );
  });
});
