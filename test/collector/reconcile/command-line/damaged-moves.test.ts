/** Reconcile names moves between sessions that were forged in the log. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { add, damageToCorpus, first, type StoredEvent } from '../support/damage.ts';

const directory = temporaryDirectory();

const afterDamage = damageToCorpus(directory);

const isTurn = ({ type, data }: StoredEvent) =>
  type === 'pi.turn.completed.v1' && data.spend.reported === true;

describe('reconcile on a damaged log', () => {
  it.each(['out', 'in'])('names a record with one forged move: %s', async (role) => {
    const damage = (database: DatabaseSync) => {
      const { event } = first(database, isTurn);
      const { id: eventId, subject: _, source: __, time: ___, ...moved } = event;
      add(database, {
        ...event,
        id: randomUUID(),
        type: 'pi.entry.moved.v1',
        data: { eventId, role, event: moved } as unknown as StoredEvent['data'],
      });
    };
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['moves_unpaired'] });
  });
});
