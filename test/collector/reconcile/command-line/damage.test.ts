/**
 * A ledger that is right, damaged on purpose in one way at a time: reconcile must exit with 1 and
 * name the damage.
 */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import {
  type CommandLine,
  commandLine,
  faultsIn,
  reconcileDamaged,
} from '../support/command-line.ts';

const corpus = new URL('../../../accounting-corpus/cases', import.meta.url).pathname;
const directory = temporaryDirectory();
let sound: CommandLine;

beforeAll(async () => {
  sound = commandLine(directory);
  expect(await sound.run('import', '--pi', corpus)).toMatchObject({ code: 0 });
});

interface StoredEvent {
  id: string;
  type: string;
  subject: string;
  time: string;
  source: string;
  ownership?: string;
  data: {
    entryId: string;
    kind?: string;
    key?: string;
    claimed?: object;
    childSessionId?: string;
    spend: Record<string, unknown>;
  };
}

/** Damages the log, folds the views from the damaged log, and says what reconcile found. */
async function afterDamage(
  damage: (database: DatabaseSync) => void,
): Promise<{ code: number; faults: readonly string[] }> {
  const damaged = sound.copy();
  damaged.change(damage);
  expect(await damaged.run('rebuild', 'sessions')).toMatchObject({ code: 0 });
  const { code, answer } = await damaged.reconcile('--pi', corpus);
  return { code, faults: faultsIn(answer) };
}

function eventsWhere(
  database: DatabaseSync,
  fits: (event: StoredEvent) => boolean,
): { position: number; event: StoredEvent }[] {
  const rows = database.prepare('SELECT position, event FROM events ORDER BY position').all() as {
    position: number;
    event: string;
  }[];
  return rows
    .map(({ position, event }) => ({ position, event: JSON.parse(event) as StoredEvent }))
    .filter(({ event }) => fits(event));
}

function first(
  database: DatabaseSync,
  fits: (event: StoredEvent) => boolean,
): { position: number; event: StoredEvent } {
  const [found] = eventsWhere(database, fits);
  if (found === undefined) throw new Error('the corpus has no such event');
  return found;
}

function rewrite(
  database: DatabaseSync,
  fits: (event: StoredEvent) => boolean,
  change: (event: StoredEvent) => void,
): void {
  const { position, event } = first(database, fits);
  change(event);
  database
    .prepare('UPDATE events SET event = ? WHERE position = ?')
    .run(JSON.stringify(event), position);
}

function add(database: DatabaseSync, event: StoredEvent): void {
  const { head } = database.prepare('SELECT max(position) AS head FROM events').get() as {
    head: number;
  };
  database
    .prepare('INSERT INTO events VALUES (?, ?, ?, ?)')
    .run(head + 1, event.id, 0, JSON.stringify(event));
}

const isTurn = ({ type, data }: StoredEvent) =>
  type === 'pi.turn.completed.v1' && data.spend.reported === true;
const isWithoutPrice = (event: StoredEvent) =>
  isTurn(event) && event.data.spend.costSource === 'unpriced';
const isUnpriced = (event: StoredEvent) => isWithoutPrice(event) && event.ownership === undefined;
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
    expect((await reconcileDamaged(sound, corpus, damage)).faults).toContain('cost_differs');
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
    expect(await reconcileDamaged(sound, corpus, damage)).toEqual({
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
