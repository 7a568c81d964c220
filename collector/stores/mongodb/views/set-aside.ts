/**
 * Events set aside by generations, in `view_set_aside`: a document each, addressed by generation
 * and position.
 *
 * Written before the commit is decided. If it never is, the next one sets the same events aside,
 * since they follow from the log.
 */
import { type Db, MongoBulkWriteError } from 'mongodb';
import type { SetAside, SetAsideList } from '../../../views/views.ts';
import { documentId, idRange, storedIn } from './layout.ts';

export const setAsideCollection = 'view_set_aside';

const insertedAtOnce = 1_000;
const positionDigits = 16;

export async function writeSetAside(
  database: Db,
  generation: number,
  events: readonly SetAside[],
): Promise<void> {
  for (let from = 0; from < events.length; from += insertedAtOnce) {
    const documents = events
      .slice(from, from + insertedAtOnce)
      .map(({ position, eventId, reason }) => ({
        _id: documentId(generation, String(position).padStart(positionDigits, '0')),
        generation,
        position: BigInt(position),
        eventId: eventId.toWellFormed(),
        reason: reason.toWellFormed(),
      }));
    await storedIn(database, setAsideCollection)
      .insertMany(documents, { ordered: false })
      .catch(ignoreRepeats);
  }
}

export async function readSetAside(
  database: Db,
  generation: number,
  limit: number,
): Promise<SetAsideList> {
  const collection = storedIn(database, setAsideCollection);
  const filter = { _id: idRange(generation) };
  const found = await collection.find(filter, { sort: { _id: 1 }, limit }).toArray();
  const count = found.length < limit ? found.length : await collection.countDocuments(filter);
  return {
    count,
    events: found.map(({ position, eventId, reason }) => ({
      position: Number(position),
      eventId: String(eventId),
      reason: String(reason),
    })),
  };
}

const duplicateKey = 11_000;

function ignoreRepeats(error: unknown): void {
  const writeErrors = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  if (writeErrors.length === 0 || writeErrors.some(({ code }) => code !== duplicateKey))
    throw error;
}
