/** Reconcile names the field of a record that was changed in the log. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { add, damageToCorpus, first, rewrite, type StoredEvent } from '../support/damage.ts';

const directory = temporaryDirectory();

const afterDamage = damageToCorpus(directory);

const isTurn = ({ type, data }: StoredEvent) =>
  type === 'pi.turn.completed.v1' && data.spend.reported === true;

const isWithoutPrice = (event: StoredEvent) =>
  isTurn(event) && event.data.spend.costSource === 'unpriced';

const isUnpriced = (event: StoredEvent) => isWithoutPrice(event) && event.ownership === undefined;

const isPriced = (event: StoredEvent) => isTurn(event) && !isWithoutPrice(event);

describe('reconcile on a damaged log', () => {
  it('names another kind of spend', async () => {
    const damage = (database: DatabaseSync) =>
      rewrite(
        database,
        ({ data }) => data.kind === 'cache_warm',
        ({ data }) => {
          data.kind = 'side_call';
        },
      );
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['kind_differs'] });
  });

  it.each(['model', 'provider'])('names another %s', async (field) => {
    const damage = (database: DatabaseSync) =>
      rewrite(database, isTurn, ({ data }) => {
        data.spend[field] = 'another';
      });
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['model_differs'] });
  });

  it('names another time', async () => {
    const damage = (database: DatabaseSync) =>
      rewrite(database, isTurn, (event) => {
        event.time = '2026-11-22T00:00:00.000Z';
      });
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['time_differs'] });
  });

  it('names a time that is none', async () => {
    const damage = (database: DatabaseSync) =>
      rewrite(database, isTurn, (event) => {
        event.time = 'yesterday';
      });
    expect(await afterDamage(damage, { isRebuilt: false })).toEqual({
      code: 1,
      faults: ['time_differs'],
    });
  });

  it('names an unreported attempt that is said to be reported', async () => {
    const isAttempt = ({ type, data }: StoredEvent) =>
      type === 'pi.turn.completed.v1' && data.spend.reported === false;
    const damage = (database: DatabaseSync) =>
      rewrite(database, isAttempt, ({ data }) => {
        data.spend.reported = true;
      });
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['reported_differs'] });
  });

  it('names an unknown price that became $0', async () => {
    const damage = (database: DatabaseSync) =>
      rewrite(database, isUnpriced, ({ data }) => {
        data.spend.costNanoUsd = 0;
        data.spend.costSource = 'catalog';
      });
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['price_source_differs'] });
  });

  it('names a list price that is said to be billed', async () => {
    const damage = (database: DatabaseSync) =>
      rewrite(database, isPriced, ({ data }) => {
        data.spend.costSource = 'provider';
      });
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['price_source_differs'] });
  });

  it('names a forged record of a session whose file does not have it', async () => {
    const damage = (database: DatabaseSync) => {
      const { event } = first(database, isTurn);
      add(database, { ...event, id: randomUUID(), data: { ...event.data, entryId: 'f0f0f0f0' } });
    };
    expect(await afterDamage(damage)).toEqual({ code: 1, faults: ['extra_in_log'] });
  });
});
