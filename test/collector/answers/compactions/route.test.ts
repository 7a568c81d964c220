import { describe, expect, it } from 'vitest';
import { sessionFile } from '../../../extension/support/sessions.ts';
import { compactedSession, compactedStory } from '../../support/compacted.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { eventsOfFile } from '../context/given.ts';

const { holding } = ledgerHomes();

const dayS = 86_400;
const two = [
  compactedSession({ id: 'shop-1', secondsLater: -2 * dayS }),
  compactedSession({ id: 'blog-1', project: 'blog', user: 'bob', secondsLater: -dayS }),
];

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly entryId: string | null;
  readonly session: string;
  readonly regretReads: number | null;
  readonly costSource: string | null;
}

const named = (answer: { json(): { rows: readonly Row[] } }) =>
  answer.json().rows.map((row) => row.entryId ?? `${row.session} failed`);

describe('GET /v1/compactions', () => {
  it('has a row for each compaction and each that failed, the newest first', async () => {
    const ledger = await holding(...two);
    const answer = await get(ledger, '/v1/compactions');
    expect(named(answer)).toEqual([
      'blog-1-c2',
      'blog-1-c1',
      'blog-1 failed',
      'shop-1-c2',
      'shop-1-c1',
      'shop-1 failed',
    ]);
    const [c2, c1, failed] = answer.json().rows;
    expect(c1).toMatchObject({
      kind: 'compaction',
      ...{
        session: 'blog-1',
        project: 'blog',
        user: 'bob',
        host: 'pi',
        trigger: 'threshold',
        by: 'host',
        method: null,
      },
      ...{
        provider: 'anthropic',
        model: 'sonnet',
        tokensBefore: 9_110,
        tokensAfterEstimated: null,
        tokensAfterMeasured: 1_500,
      },
      ...{
        savedTokens: 7_610,
        costNanoUsd: null,
        costSource: 'unreported',
        durationMs: 2_500,
        instructionsChars: 0,
        willRetry: false,
      },
      ...{ filesReadCount: 1, filesModifiedCount: 0, regretReads: 0, turnsAfter: 1 },
    });
    // It dropped the first reading of src/a.ts, which was read again in the next turn.
    expect(c2).toMatchObject({
      trigger: null,
      durationMs: null,
      tokensBefore: 1_600,
      regretReads: 1,
      regretTokens: 1_000,
    });
    // No miss costs nothing; a miss without a price has an unknown cost.
    expect(
      [c2, c1].map(({ cacheMissTokens, cacheMissNanoUsd }) => [cacheMissTokens, cacheMissNanoUsd]),
    ).toEqual([
      [0, '0'],
      [500, null],
    ]);
    expect(failed).toMatchObject({
      kind: 'failure',
      entryId: null,
      trigger: 'manual',
      aborted: true,
      durationMs: 300,
      tokensBefore: null,
    });
  });

  it('has the rows of recorded sessions as they were worked out by hand', async () => {
    const names = [
      'pi15/json-autocompact',
      'pi073/json-autocompact',
      'omp18/json-autocompact',
      'pi15/json-length',
    ];
    const ledger = await holding(...names.map((name) => eventsOfFile(sessionFile(name))));
    const rows = new Map(
      (await get(ledger, '/v1/compactions')).json().rows.map((row: Row) => [row.entryId, row]),
    );
    const common = {
      kind: 'compaction',
      trigger: null,
      by: 'host',
      durationMs: null,
      regretReads: 0,
    };
    const sevenTurns = {
      ...common,
      tokensBefore: 9_600,
      tokensAfterMeasured: 2_100,
      savedTokens: 7_500,
      turnsAfter: 7,
    };
    expect(rows.get('a70dd6a6')).toMatchObject({
      ...sevenTurns,
      costNanoUsd: '2360000',
      netNanoUsd: '23890000',
    });
    expect(rows.get('86566a37')).toMatchObject({
      ...sevenTurns,
      costNanoUsd: null,
      costSource: 'unreported',
      netNanoUsd: '26250000',
    });
    expect(rows.get('8e64fe07')).toMatchObject({
      ...sevenTurns,
      tokensAfterEstimated: 4_550,
      method: 'soft',
    });
    expect(rows.get('531cbd14')).toMatchObject({
      ...common,
      tokensBefore: 757,
      savedTokens: -1_343,
      netNanoUsd: '-5685524',
    });
  });

  it('sums up all that fits, by project and model too, and not only the page', async () => {
    const ledger = await holding(...two);
    const { rows, total, byProject, byModel, next } = (
      await get(ledger, '/v1/compactions?limit=1')
    ).json();
    expect([rows.length, typeof next]).toEqual([1, 'string']);
    expect(total).toMatchObject({
      ...{
        compactions: 4,
        branchSummaries: 0,
        failures: 2,
        savedTokens: 2 * (7_610 + 100),
      },
      byBilling: {
        metered: { summaries: 0, costNanoUsd: '0', unknownCacheMisses: 0, nets: 0, unknownNets: 0 },
        subscription: { summaries: 4, costNanoUsd: '0', unreportedCosts: 4, unknownNets: 4 },
        unknown: { summaries: 0 },
      },
      ...{ regretReads: 2, regretTokens: 2_000, regrettedCompactions: 2, regretRate: 0.5 },
    });
    expect(
      byProject.map((each: { project: string; compactions: number }) => [
        each.project,
        each.compactions,
      ]),
    ).toEqual([
      ['blog', 2],
      ['shop', 2],
    ]);
    // A failed compaction has no model.
    expect(
      byModel.map((each: { model: string; failures: number }) => [each.model, each.failures]),
    ).toEqual([
      ['sonnet', 0],
      [null, 2],
    ]);
  });

  it('says whether a net is only an upper bound, and narrows to what did not pay', async () => {
    const names = ['pi15/json-autocompact', 'pi073/json-autocompact', 'pi15/json-length'];
    const ledger = await holding(...names.map((name) => eventsOfFile(sessionFile(name))));
    const list = async (query: string) => (await get(ledger, `/v1/compactions${query}`)).json();
    const { rows, total } = await list('');
    const bounds = new Map(
      rows.map((row: Row & { netIsUpperBound: boolean }) => [row.entryId, row.netIsUpperBound]),
    );
    expect([bounds.get('a70dd6a6'), bounds.get('86566a37')]).toEqual([false, true]);
    const nets = rows.flatMap(({ netNanoUsd }: { netNanoUsd: string | null }) => netNanoUsd ?? []);
    expect(total.byBilling.unknown).toMatchObject({
      netNanoUsd: String(nets.map(BigInt).reduce((sum: bigint, net: bigint) => sum + net, 0n)),
      upperBoundNets: 1,
    });
    const lost = await list('?net=negative');
    expect(lost.rows.map(({ entryId }: Row) => entryId)).toEqual(['531cbd14']);
    expect(lost.total).toMatchObject({ compactions: 1, byBilling: { unknown: { nets: 1 } } });
  });

  it('narrows to what was read again or not reported, with the totals of these', async () => {
    const ledger = await holding(...two, eventsOfFile(sessionFile('pi15/json-autocompact')));
    const list = async (query: string) => (await get(ledger, `/v1/compactions${query}`)).json();
    const { rows } = await list('');
    for (const [filter, fits] of [
      ['regret=some', ({ regretReads }: Row) => (regretReads ?? 0) > 0],
      ['cost=unreported', ({ costSource }: Row) => costSource === 'unreported'],
    ] as const) {
      const some = await list(`?${filter}`);
      expect(some.rows).toEqual(rows.filter(fits));
      expect(some.rows.length).toBeGreaterThan(0);
      expect(some.rows.length).toBeLessThan(rows.length);
      expect(some.total.compactions).toBe(
        some.rows.filter(({ kind }: Row) => kind === 'compaction').length,
      );
    }
  });

  it('counts a row for the project that the session had at its time', async () => {
    const story = compactedStory({ id: 'moved', secondsLater: -dayS });
    story.wait(600).live('pi.session.attributed.v1', {
      project: { name: 'blog', remote: null, branch: 'main', worktree: null },
      user: 'ada',
    });
    story.wait(600).compaction('moved-c3', { tokensBefore: 1_000, firstKeptEntryId: 'moved-t3' });
    const ledger = await holding(story.events);
    expect(named(await get(ledger, '/v1/compactions?project=blog'))).toEqual(['moved-c3']);
    expect(named(await get(ledger, '/v1/compactions?project=shop&kind=compaction'))).toEqual([
      'moved-c2',
      'moved-c1',
    ]);
  });

  it('comes in pages without gaps, and as CSV with its next page in the Link header', async () => {
    const ledger = await holding(...two);
    const all = (await get(ledger, '/v1/compactions')).json().rows;
    const paged: Row[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page = (
        await get(
          ledger,
          `/v1/compactions?limit=2${next === '' ? '' : `&cursor=${encodeURIComponent(next)}`}`,
        )
      ).json();
      paged.push(...page.rows);
      next = page.next;
    }
    expect(paged).toEqual(all);
    const csv = await get(ledger, '/v1/compactions?limit=2&format=csv');
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(String(csv.headers.link)).toMatch(
      /^<\/v1\/compactions\?limit=2&format=csv&cursor=[^>]+>; rel="next"$/,
    );
    const [head, ...lines] = csv.text.trimEnd().split('\r\n');
    expect(head?.split(',').toSorted()).toEqual(
      [...Object.keys(all[0]), 'costUsd', 'cacheMissUsd', 'netUsd'].toSorted(),
    );
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('blog-1-c2');
  });
});
