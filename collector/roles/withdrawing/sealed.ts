/** Which sessions have a part that is sealed: its events are gone, and the views still count it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UsageViews } from '../../answers/views/usage-views.ts';
import { usage } from '../../projections/usage.ts';

/** Whole documents are read. */
const sessionsPerQuery = 20;

export async function countSealed(
  asked: UsageViews,
  ids: readonly string[],
  floorMs: number,
): Promise<number> {
  let sealed = 0;
  for (let from = 0; from < ids.length; from += sessionsPerQuery) {
    sealed += (await sealedAmong(asked, ids.slice(from, from + sessionsPerQuery), floorMs)).size;
    await nextTurn();
  }
  return sealed;
}

/** Those that spent something before, and those that were only seen. */
async function sealedAmong(
  { views, sessions }: UsageViews,
  ids: readonly string[],
  floorMs: number,
): Promise<ReadonlySet<string>> {
  const floor = new Date(floorMs).toISOString();
  const rows = await views.sum(sessions, usage, {
    by: ['session'],
    where: [
      { column: 'session', is: 'in', values: ids },
      { column: 'hour', is: 'before', values: [floor.slice(0, 13)] },
    ],
  });
  const documents = await views.find(sessions, {
    where: [{ column: 'key', is: 'in', values: ids }],
    orderBy: { column: 'lastSeenAt', descending: true },
    limit: ids.length,
  });
  const seen = documents.filter(({ body }) => sessions.decode(body).firstSeenAt < floor);
  return new Set([
    ...rows.flatMap(({ dimensions }) => dimensions.session ?? []),
    ...seen.map(({ key }) => key),
  ]);
}
