import { describe, expect, it } from 'vitest';
import { sessionFile } from '../../../extension/support/sessions.ts';
import { spendOf } from '../../projections/support/given.ts';
import { compactedSession, compactedStory } from '../../support/compacted.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { eventsOfFile } from '../context/given.ts';

const { holding } = ledgerHomes();

const dayS = 86_400;
const two = [
  compactedSession({ id: 'shop-1', secondsLater: -2 * dayS }),
  compactedSession({ id: 'blog-1', project: 'blog', user: 'bob', secondsLater: -dayS }),
];

describe('GET /v1/compactions/:id', () => {
  it('has all of a row, by its id, the beginning of it, or its entry', async () => {
    const ledger = await holding(...two);
    const { rows } = (await get(ledger, '/v1/compactions')).json();
    const row = rows.find(({ entryId }: { entryId: string }) => entryId === 'shop-1-c2');
    const answer = await get(ledger, `/v1/compactions/${row.id}`);
    expect(answer.json()).toMatchObject({
      ...row,
      // Dropped: what the first one kept (the answer t1 and the reading), then its summary and t2.
      dropped: { messages: 4 },
      kept: { messages: 1, tokens: 10, parts: [{ kind: 'toolResults', name: 'read', tokens: 10 }] },
      filesRead: ['src/a.ts', 'src/b.ts'],
      filesModified: [],
      regretPaths: ['src/a.ts'],
      net: { leavesOut: expect.arrayContaining(['summary']) },
    });
    expect((await get(ledger, '/v1/compactions/shop-1-c2')).json()).toEqual(answer.json());
    const shared = sharedBeginning(rows.map(({ id }: { id: string }) => id));
    const several = await get(ledger, `/v1/compactions/${shared}`);
    expect([several.status, several.json().field]).toEqual([400, 'id']);
    expect(several.json().message).toContain(row.id.slice(0, shared.length));
  });

  it('tells the threshold it stood above, and from which answer on it had paid', async () => {
    const read = (tokens: number) => ({
      inputTokens: 10,
      cacheReadTokens: tokens,
      rawUsage: { cost: { input: 1e-8, cacheRead: tokens * 1e-9 } },
    });
    const story = compactedStory({ id: 'paid' }).goTo(null).user('u').turn('before', read(990));
    const spend = spendOf({ inputTokens: 1_000, outputTokens: 40, costNanoUsd: 1_500 });
    story.compaction('c', { tokensBefore: 1_000, firstKeptEntryId: null, spend });
    // Each answer after it sends 590 tokens less, at a nano-dollar each.
    for (const turn of [1, 2]) story.turn(`after${turn}`, read(400));
    const early = (await get(await holding(story.events), '/v1/compactions/c')).json();
    expect(early).toMatchObject({ thresholdTokens: 12_000, paidFromTurn: null, turnsBefore: 4 });
    for (const turn of [3, 4]) story.turn(`after${turn}`, read(400));
    expect((await get(await holding(story.events), '/v1/compactions/c')).json()).toMatchObject({
      netNanoUsd: String(4 * 590 - 1_500),
      paidFromTurn: 3,
      summaryUsage: { inputTokens: 1_000, cacheReadTokens: 0, outputTokens: 40 },
    });
  });

  it('is found by the beginning of its id', async () => {
    const ledger = await holding(eventsOfFile(sessionFile('pi15/json-autocompact')), ...two);
    expect((await get(ledger, '/v1/compactions/01a1fff4-fc')).json()).toMatchObject({
      entryId: 'a70dd6a6',
    });
  });

  it('shows recorded texts, and no list does', async () => {
    const story = compactedStory({ id: 'told' });
    const summaryText = { text: 'SECRET-FREE SUMMARY', truncated: false, redactions: 2 };
    const instructionsText = { text: 'HEED THIS', truncated: true, redactions: 0 };
    story.compaction('told-c3', { tokensBefore: 900, firstKeptEntryId: 'told-t3', summaryText });
    story.live('pi.compaction.timed.v1', {
      entryId: 'told-c3',
      trigger: 'manual',
      instructionsText,
    });
    const ledger = await holding(story.events);
    expect((await get(ledger, '/v1/compactions/told-c3')).json()).toMatchObject({
      summary: summaryText,
      instructions: instructionsText,
    });
    for (const url of [
      '/v1/compactions',
      '/v1/compactions?format=csv',
      '/v1/context/told',
      '/v1/sessions/told',
    ]) {
      const { status, text } = await get(ledger, url);
      expect(status).toBe(200);
      expect(text).not.toMatch(/SECRET-FREE|HEED/);
    }
  });

  it('has no texts that were not recorded', async () => {
    const story = compactedStory({ id: 'quiet' });
    const silent = story.events.map((event) =>
      JSON.parse(JSON.stringify(event, (key, value) => (key.endsWith('Text') ? undefined : value))),
    );
    const ledger = await holding(silent);
    expect((await get(ledger, '/v1/compactions/quiet-c1')).json()).toMatchObject({
      summary: null,
      instructions: null,
    });
  });

  it('tells of a branch summary, and of one that failed', async () => {
    const file = sessionFile('pi15/rpc-tree');
    const ledger = await holding(eventsOfFile(file), compactedSession({ id: 'shop-1' }));
    expect((await get(ledger, '/v1/compactions/22e94b7f')).json()).toMatchObject({
      ...{
        kind: 'branchSummary',
        tokensBefore: 5_505,
        costNanoUsd: '2360000',
        regretReads: 0,
        net: null,
      },
      dropped: { messages: 13 },
    });
    const [failed] = (await get(ledger, '/v1/compactions?kind=failure')).json().rows;
    expect((await get(ledger, `/v1/compactions/${failed.id}`)).json()).toMatchObject({
      kind: 'failure',
      dropped: null,
      net: null,
    });
  });

  it('knows no other', async () => {
    const ledger = await holding(...two);
    for (const id of ['nobody', '%20', '%F4%8F%BF%BF', 'shop-1-t1'])
      expect((await get(ledger, `/v1/compactions/${id}`)).status).toBe(404);
  });
});

function sharedBeginning([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  while (!others.every((id) => id.startsWith(first.slice(0, length)))) length -= 1;
  return first.slice(0, length);
}
