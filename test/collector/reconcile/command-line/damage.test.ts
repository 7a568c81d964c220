/** A sound ledger, damaged in one way at a time: reconcile must exit with 1 and name the damage. */
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

const isWithoutPrice = (event: StoredEvent) =>
  isTurn(event) && event.data.spend.costSource === 'unpriced';

const isPriced = (event: StoredEvent) => isTurn(event) && !isWithoutPrice(event);

describe('reconcile on a damaged log', () => {
  it('finds nothing wrong before the damage', async () => {
    expect(await afterDamage(() => undefined)).toEqual({ code: 0, faults: [] });
  });

  it('names a record whose row was deleted', async () => {
    const damage = (database: DatabaseSync) =>
      database
        .prepare('DELETE FROM events WHERE position = ?')
        .run(first(database, isTurn).position);
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['missing_in_log'] });
  });

  it('names a copy without its price that nobody counts', async () => {
    const isCopy = (event: StoredEvent) => isWithoutPrice(event) && event.ownership === 'named';
    const damage = (database: DatabaseSync) =>
      database
        .prepare('DELETE FROM events WHERE position = ?')
        .run(first(database, isCopy).position);
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['owner_unknown'] });
  });

  it('names a session of which the log has nothing', async () => {
    const damage = (database: DatabaseSync) => {
      const { subject } = first(database, isTurn).event;
      for (const { position } of eventsWhere(database, (event) => event.subject === subject)) {
        database.prepare('DELETE FROM events WHERE position = ?').run(position);
      }
    };
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['not_imported'] });
  });

  it.each([
    ['an attribution', 'pi.session.attributed.v1'],
    ['a prompt', 'pi.prompt.submitted.v1'],
  ])('says that events were deleted where no other fault tells: %s', async (_what, type) => {
    const damage = (database: DatabaseSync) =>
      database
        .prepare('DELETE FROM events WHERE position = ?')
        .run(first(database, (event) => event.type === type).position);
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['events_lost'] });
  });

  it('says so too of a session without a file', async () => {
    const live = (event: StoredEvent, entryId: string): StoredEvent => ({
      ...event,
      id: randomUUID(),
      source: '/producers/one',
      subject: 'in-memory',
      data: { ...event.data, entryId },
    });
    const unfiled = (database: DatabaseSync) => {
      const { event } = first(database, isPriced);
      for (const entryId of ['one', 'two', 'three']) add(database, live(event, entryId));
    };
    expect(await afterDamage(unfiled)).toEqual({ code: 0, faults: [] });
    const damage = (database: DatabaseSync) => {
      unfiled(database);
      database
        .prepare('DELETE FROM events WHERE position = ?')
        .run(first(database, ({ data }) => data.entryId === 'two').position);
    };
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['events_lost'] });
  });

  it('names a record that stands in the log again under another id', async () => {
    const damage = (database: DatabaseSync) =>
      add(database, { ...first(database, isTurn).event, id: randomUUID() });
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['twice_in_log'] });
  });

  it('names tokens that were changed, the raw figure left alone', async () => {
    const damage = (database: DatabaseSync) =>
      rewrite(database, isTurn, ({ data }) => {
        data.spend.inputTokens = Number(data.spend.inputTokens) + 1;
      });
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['tokens_differ'] });
  });

  it('names tokens that were changed together with the raw figure', async () => {
    const damage = (database: DatabaseSync) =>
      rewrite(database, isTurn, ({ data }) => {
        data.spend.outputTokens = 1;
        data.spend.rawUsage = { ...(data.spend.rawUsage as object), output: 1 };
      });
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['tokens_differ'] });
  });

  it('names tokens that moved between records of a session, sums unchanged', async () => {
    const damage = (database: DatabaseSync) => {
      const turns = Map.groupBy(eventsWhere(database, isTurn), ({ event }) => event.subject);
      const [from, to] =
        [...turns.values()].find(({ length }) => length > 1)?.map(({ event }) => event.id) ?? [];
      for (const [id, by] of [
        [from, -7],
        [to, 7],
      ] as const) {
        rewrite(
          database,
          (event) => event.id === id,
          ({ data }) => {
            data.spend.inputTokens = Number(data.spend.inputTokens) + by;
          },
        );
      }
    };
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['tokens_differ'] });
  });

  it('names reasoning tokens that were lost', async () => {
    const damage = (database: DatabaseSync) =>
      rewrite(
        database,
        (event) => isTurn(event) && Number(event.data.spend.reasoningTokens) > 0,
        ({ data }) => {
          data.spend.reasoningTokens = null;
        },
      );
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['tokens_differ'] });
  });

  it('names an amount that is off by one nano-dollar', async () => {
    const damage = (database: DatabaseSync) =>
      rewrite(database, isPriced, ({ data }) => {
        data.spend.costNanoUsd = Number(data.spend.costNanoUsd) + 1;
      });
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['cost_differs'] });
  });

  it('names an amount that is no whole number', async () => {
    const damage = (database: DatabaseSync) =>
      rewrite(database, isPriced, ({ data }) => {
        data.spend.costNanoUsd = Number(data.spend.costNanoUsd) + 0.5;
      });
    expect((await afterDamage(damage, { isRebuilt: false })).faults).toContain('cost_differs');
  });

  it('names a record that counts under another session', async () => {
    const damage = (database: DatabaseSync) => {
      const { subject } = first(database, isTurn).event;
      const other = first(database, (event) => isTurn(event) && event.subject !== subject).event
        .subject;
      rewrite(database, isTurn, (event) => {
        event.subject = other;
      });
    };
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['session_differs'] });
  });

  it('names a record that counts under a session that nobody knows', async () => {
    const damage = (database: DatabaseSync) =>
      rewrite(database, isTurn, (event) => {
        event.subject = 'nobody';
      });
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['session_differs'] });
  });
});
