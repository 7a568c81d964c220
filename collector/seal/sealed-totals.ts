import type { SealedTotals } from '../log/history.ts';
import { sessions } from '../projections/sessions.ts';
import { usage } from '../projections/usage.ts';
import type { ViewsReader } from '../views/views.ts';
import { createSealedTotals, eachCount } from './late-events.ts';
import type { Sealer } from './sealer.ts';

/** Resolves to null when nothing was sealed. Rejects when the store fails. */
export async function readSealedTotals(
  sealer: Pick<Sealer, 'inForce'>,
  views: Pick<ViewsReader, 'sum'>,
): Promise<SealedTotals | null> {
  const seal = await sealer.inForce();
  if (seal === null) return null;
  const hour = new Date(seal.floorMs).toISOString().slice(0, 13);
  async function countRecords(sessionIds: ReadonlySet<string>) {
    const records = new Map<string, number>();
    for (const part of splitIntoParts([...sessionIds])) {
      const rows = await views.sum(sessions, usage, {
        by: ['session', 'kind'],
        where: [
          { column: 'session', is: 'in', values: part },
          { column: 'hour', is: 'before', values: [hour] },
        ],
      });
      for (const { dimensions, measures } of rows) {
        const { session = '', kind } = dimensions;
        if (kind !== 'tool')
          records.set(session, (records.get(session) ?? 0) + Number(measures.records ?? 0n));
      }
    }
    return records;
  }

  async function sumTools(sessionId: string) {
    const [row] = await views.sum(sessions, usage, {
      by: ['kind'],
      where: [
        { column: 'session', is: 'in', values: [sessionId] },
        { column: 'kind', is: 'in', values: ['tool'] },
      ],
    });
    return eachCount((name) => row?.measures[name] ?? 0n);
  }

  return createSealedTotals(seal.floorMs, { countRecords, sumTools });
}

const sessionsPerQuery = 100;

function* splitIntoParts(sessionIds: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < sessionIds.length; from += sessionsPerQuery)
    yield sessionIds.slice(from, from + sessionsPerQuery);
}
