/**
 * Rows of the audit that are kept in memory (answers/compactions/audits/) are those computed
 * from the contexts, byte for byte, whatever comes in between: late events, forks, moves, labels,
 * other rules, deleted history.
 */

import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type Audits, createAudits } from '../../collector/answers/compactions/audits/audits.ts';
import type { CompactionFilters } from '../../collector/answers/compactions/filters.ts';
import { listCompactions } from '../../collector/answers/compactions/query.ts';
import { createSessionContexts } from '../../collector/answers/contexts/contexts.ts';
import { visibleViews } from '../../collector/answers/views/visible-views.ts';
import { joinLogs } from '../../collector/cells/log/joined-log.ts';
import { joinViews } from '../../collector/cells/views/joined-views.ts';
import { type FoldRules, noRules } from '../../collector/projections/rules.ts';
import type { Store } from '../../collector/stores/store.ts';
import { anyNote } from '../collector/projections/support/any-note.ts';
import { sessions as projection } from '../collector/projections/support/bare-sessions.ts';
import { moves } from '../collector/projections/support/given-moves.ts';
import { compactedSession } from '../collector/support/compacted.ts';
import { anyEvents, received } from './cells/given.ts';
import { fill } from './cells/ledger.ts';
import type { OpenStores } from './cells.ts';

interface Options {
  readonly cells: number;
  readonly runs: number;
}

export function auditsSuite(name: string, openStores: OpenStores, { cells, runs }: Options): void {
  const opened: Store[] = [];

  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  async function ledger() {
    const stores = await openStores(cells);
    opened.push(...stores);
    const [first] = stores as readonly [Store];
    const single = stores.length === 1;
    return {
      stores,
      views: single ? first.views : joinViews(stores),
      log: single ? first.log : joinLogs(stores.map(({ log }) => log)),
    };
  }

  describe(`audits: ${name}, cells: ${cells}`, () => {
    it('are what is computed from the contexts, whatever happened in between', async () => {
      let rows = 0;
      await fc.assert(
        fc.asyncProperty(steps, async (given) => {
          const { stores, views, log } = await ledger();
          const kept = createAudits({
            views,
            sessions: projection,
            log,
            contexts: createSessionContexts(views),
          });
          let rules = noRules;
          for (const step of given) {
            rules = step.rules ?? rules;
            await fill(stores, received(step.events), rules);
            for (const question of questions) {
              const [seen, computed] = [
                await pagesOf(views, kept, question),
                await pagesOf(views, none, question),
              ];
              expect(seen).toEqual(computed);
              rows += seen.split('"entryId"').length - 1;
            }
          }
        }),
        // The same in each CI run; others by the two variables.
        {
          numRuns: Number(process.env.PI_LEDGER_AUDITS_RUNS ?? runs),
          seed: Number(process.env.PI_LEDGER_AUDITS_SEED ?? 20_261_126),
          endOnFailure: true,
        },
      );
      expect(rows).toBeGreaterThan(rowsMin);
    });

    it('compute nothing again while nothing happens, and little after an event', async () => {
      const { stores, views, log } = await ledger();
      const ids = Array.from({ length: 30 }, (_, index) => `s-${index}`);
      await fill(stores, received(ids.flatMap((id) => compactedSession({ id }))), noRules);
      const found: string[] = [];
      const counted: typeof views = {
        ...views,
        find(projection, query) {
          if (query.bodies !== false) found.push(projection.name);
          return views.find(projection, query);
        },
      };
      const contexts = createSessionContexts(counted);
      const kept = createAudits({ views: counted, sessions: projection, log, contexts });
      const first = await pagesOf(counted, kept, {});
      const atFirst = found.splice(0).length;
      expect(atFirst).toBeGreaterThan(30);
      expect(await pagesOf(counted, kept, {})).toBe(first);
      expect(found.splice(0)).toEqual([]);
      await fill(stores, received(compactedSession({ id: 's-7', secondsLater: 60 })), noRules);
      expect(await pagesOf(counted, kept, {})).toBe(await pagesOf(views, none, {}));
      expect(found.splice(0).sort()).toEqual(['context', 'sessions']);
    });
  });
}

/** Of all answers to a question, so that it is about something. */
const rowsMin = 100;

/** Keeps nothing: all is computed. */
const none: Audits = { between: async () => null };

type Views = Parameters<typeof createSessionContexts>[0];

/** All pages, as JSON. */
async function pagesOf(views: Views, audits: Audits, filters: CompactionFilters): Promise<string> {
  const asked = { views, sessions: projection, audits, contexts: createSessionContexts(views) };
  const pages: object[] = [];
  for (let after: { readonly time: string; readonly id: string } | null = null; ; ) {
    const page = await listCompactions(asked, visibleViews(asked), filters, { after, limit: 5 });
    pages.push(page);
    after = page.rows.at(-1) ?? null;
    if (after === null) return JSON.stringify(pages);
  }
}

const questions: readonly CompactionFilters[] = [
  {},
  { since: '2026-11-22' },
  { since: '2026-11-22', until: '2026-11-22', timezone: 'Pacific/Auckland' },
  { until: '2026-11-22', kind: ['compaction'] },
  { since: '2026-11-22T00:00:00Z', until: '2026-11-22T09:30:00Z', ignored: 'include' },
  { project: ['shop'], net: 'negative' },
  { user: ['ada', ''], regret: 'some', timezone: 'America/Caracas' },
  { label: ['ticket=a'] },
  { model: ['sonnet'], trigger: ['threshold'], cost: 'unreported' },
];

const sessions = ['s1', 's2', 's3', 's4', '\u{e000}'];
const session = fc.constantFrom(...sessions);

/** Sessions with compactions, some of them forks, some only in part. */
const story: fc.Arbitrary<readonly LedgerEvent[]> = fc
  .record({
    id: session,
    parent: fc.oneof(session, fc.constant(null)),
    project: fc.constantFrom('shop', 'side'),
    secondsLater: fc.integer({ min: -90_000, max: 5_000 }),
    utcOffsetMinutes: fc.constantFrom(0, 780, -300),
    part: fc.constantFrom(99, 99, 11, 8, 4),
  })
  .map(({ part, ...options }) => compactedSession(options).slice(0, part));

const moved = fc
  .tuple(story, session)
  .map(([events, to]) => [
    ...events,
    ...events
      .filter(({ type, subject }) => type === 'pi.compaction.completed.v1' && subject !== to)
      .flatMap((event) => moves(event, to)),
  ]);

const time = fc.constantFrom('2026-11-22T08:59:00.000Z', '2026-11-22T09:00:05.000Z');
const noted = fc.array(anyNote(time, session), { minLength: 1, maxLength: 3 });

const rules: FoldRules = {
  ...noRules,
  projects: [{ match: 'side', ignore: true }],
};

const step: fc.Arbitrary<{ readonly events: readonly LedgerEvent[]; readonly rules?: FoldRules }> =
  fc.oneof(
    { weight: 5, arbitrary: story.map((events) => ({ events })) },
    { weight: 2, arbitrary: moved.map((events) => ({ events })) },
    { weight: 2, arbitrary: noted.map((events) => ({ events })) },
    { weight: 2, arbitrary: anyEvents.map((events) => ({ events: events.slice(0, 20) })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(rules, noRules).map((each) => ({ events: [], rules: each })),
    },
  );
const steps = fc.array(step, { minLength: 4, maxLength: 9, size: 'max' });
