import { describe, expect, it } from 'vitest';
import { createSessionContexts } from '../../../../collector/answers/contexts/contexts.ts';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import type { DocumentQuery, Views } from '../../../../collector/views/views.ts';
import { compactedSession, compactedStory, large } from '../../support/compacted.ts';
import { ledgerHomes, post } from '../../support/ledger.ts';

const homes = ledgerHomes();

async function holding(events: readonly object[]): Promise<Ledger> {
  const ledger = await homes.open();
  await post(ledger, events);
  await ledger.subscription.catchUp();
  return ledger;
}

/** How many whole chunks were read. */
function counted(views: Views): { readonly views: Views; readonly read: { chunks: number } } {
  const read = { chunks: 0 };
  const find: Views['find'] = async (projection, query: DocumentQuery) => {
    const found = await views.find(projection, query);
    if (query.bodies !== false) read.chunks += found.length;
    return found;
  };
  return { views: { ...views, find }, read };
}

const asked = { lineage: ['shop-1'] as const, host: 'pi' as const };

describe('the contexts of sessions', () => {
  it('are computed once, and again from no more than what has changed', async () => {
    const story = compactedStory({ id: 'shop-1' });
    for (let hour = 0; hour < 5; hour++) story.wait(3_600).turn(`later-${hour}`, large);
    const ledger = await holding(story.events);
    const { views, read } = counted(ledger.views);
    const contexts = createSessionContexts(views);
    const first = await contexts.open(asked);
    expect(read.chunks).toBe(6);
    expect(await contexts.open(asked)).toBe(first);
    expect(read.chunks).toBe(6);
    const before = story.events.length;
    await post(ledger, story.turn('newest', large).events.slice(before));
    await ledger.subscription.catchUp();
    const second = await contexts.open(asked);
    expect(read.chunks).toBe(7);
    expect(second.points()).toHaveLength(first.points().length + 1);
    expect(second.points()).toEqual(
      (await createSessionContexts(ledger.views).open(asked)).points(),
    );
  });

  it('notice an event that comes late, whose chunk begins and ends as before', async () => {
    const story = compactedStory({ id: 'shop-1' });
    const ledger = await holding(story.events);
    const contexts = createSessionContexts(ledger.views);
    const before = (await contexts.open(asked)).points().length;
    const between = compactedStory({ id: 'shop-1' }).turn('between', large).events.slice(-1);
    await post(ledger, between);
    await ledger.subscription.catchUp();
    expect((await contexts.open(asked)).points()).toHaveLength(before + 1);
  });

  it('give the rows of many sessions, each by its own', async () => {
    const ids = Array.from({ length: 120 }, (_, index) => `s-${index}`);
    const ledger = await holding(
      ids.flatMap((id, index) => compactedSession({ id, secondsLater: -index * 60 })),
    );
    const { views, read } = counted(ledger.views);
    const contexts = createSessionContexts(views);
    const all = ids.map((id) => ({ lineage: [id] as const, host: 'pi' as const }));
    const audits = await contexts.audits(all);
    expect([...audits.keys()]).toEqual(ids);
    for (const id of ids)
      expect(audits.get(id)?.map(({ entryId, session }) => [entryId, session])).toEqual([
        [null, id],
        [`${id}-c1`, id],
        [`${id}-c2`, id],
      ]);
    const once = read.chunks;
    expect(await contexts.audits(all)).toEqual(audits);
    expect(read.chunks).toBe(once);
  });
});
