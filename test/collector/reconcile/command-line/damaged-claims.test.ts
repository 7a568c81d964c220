/** Reconcile names claims and accounts that were changed or forged in the log. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import {
  add,
  damageToCorpus,
  eventsWhere,
  first,
  rewrite,
  type StoredEvent,
} from '../support/damage.ts';

const directory = temporaryDirectory();

const afterDamage = damageToCorpus(directory);

const isTurn = ({ type, data }: StoredEvent) =>
  type === 'pi.turn.completed.v1' && data.spend.reported === true;

describe('reconcile on a damaged log', () => {
  it('names a claim of a subagent that was deleted', async () => {
    const damage = (database: DatabaseSync) => {
      const { position } = first(database, ({ type }) => type === 'pi.subagent.claimed.v1');
      database.prepare('DELETE FROM events WHERE position = ?').run(position);
    };
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['missing_in_log'] });
  });

  it("names a claim that counts although its subagent's records count", async () => {
    const damage = (database: DatabaseSync) => {
      for (const { position } of eventsWhere(
        database,
        ({ type }) => type === 'pi.subagent.accounted.v1',
      )) {
        database.prepare('DELETE FROM events WHERE position = ?').run(position);
      }
    };
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['claim_differs'] });
  });

  it('names a forged account that takes more off a claim than the subagent recorded', async () => {
    const damage = (database: DatabaseSync) => {
      const { event } = first(database, ({ type }) => type === 'pi.subagent.accounted.v1');
      add(database, { ...event, id: randomUUID() });
    };
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['claim_differs'] });
  });

  it('names a forged account of a session without a file that recorded less', async () => {
    const damage = (database: DatabaseSync) => {
      const live = {
        ...first(database, isTurn).event,
        id: randomUUID(),
        source: '/producers/live',
        subject: 'live',
      };
      add(database, {
        ...live,
        data: { ...live.data, entryId: 'f0f0f0f0', spend: { ...live.data.spend, inputTokens: 1 } },
      });
      const isAnswer = ({ type, data }: StoredEvent) =>
        type === 'pi.subagent.claimed.v1' && String(data.key).startsWith('response:');
      const { event } = eventsWhere(database, isAnswer).at(-1) ?? first(database, isAnswer);
      const { key, claimed } = event.data;
      const data = {
        childSessionId: 'live',
        childEntryId: 'f0f0f0f0',
        keys: [key],
        accounted: claimed,
      };
      add(database, {
        ...event,
        id: randomUUID(),
        type: 'pi.subagent.accounted.v1',
        data: data as never,
      });
    };
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['claim_differs'] });
  });

  it('names an account of a subagent that nobody knows', async () => {
    const damage = (database: DatabaseSync) =>
      rewrite(
        database,
        ({ type }) => type === 'pi.subagent.accounted.v1',
        ({ data }) => {
          data.childSessionId = 'nobody';
        },
      );
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['claim_differs'] });
  });

  it('names a forged account of a single answer that no subagent recorded', async () => {
    const damage = (database: DatabaseSync) => {
      const isAnswer = ({ type, data }: StoredEvent) =>
        type === 'pi.subagent.claimed.v1' && String(data.key).startsWith('response:');
      const { event } = eventsWhere(database, isAnswer).at(-1) ?? first(database, isAnswer);
      const { key, claimed } = event.data;
      const data = {
        childSessionId: 'nobody',
        childEntryId: 'f0f0f0f0',
        keys: [key],
        accounted: claimed,
      };
      add(database, {
        ...event,
        id: randomUUID(),
        type: 'pi.subagent.accounted.v1',
        data: data as never,
      });
    };
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['claim_differs'] });
  });
});
