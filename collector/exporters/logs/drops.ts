/**
 * What producers newly dropped: they report sums since their process started. What each reported
 * last is the exporter's state. Bounded: of very many producers that drop, the newest are kept, and
 * one that was forgotten counts from its start again.
 */
import { createHash } from 'node:crypto';
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

type Dropped = EventData<'pi.producer.reported.v1'>['dropped'];

const producersMax = 1_000;

const State = Type.Array(
  Type.Object({
    /** A hash: senders name their sources, and the state is bounded. */
    source: Type.String({ pattern: '^[0-9a-f]{16}$' }),
    dropped: Type.Object({
      spoolFull: Type.Integer(),
      spoolUnwritable: Type.Integer(),
      eventTooLarge: Type.Integer(),
      recordFailed: Type.Integer(),
    }),
  }),
);

export interface LogDrops {
  /** What is new in it; null: nothing. */
  take(event: LedgerEvent<'pi.producer.reported.v1'>): Dropped | null;
  /** Undefined: as it was. */
  written(): string | undefined;
}

/** `written`: by another one; what cannot be understood counts as nothing. */
export function readDrops(written: unknown): LogDrops {
  const known = new Map(
    (Value.Check(State, written) ? written : []).map(({ source, dropped }) => [source, dropped]),
  );
  let isChanged = false;
  return {
    take({ source, data: { dropped } }) {
      const key = hashSource(source);
      const before = known.get(key);
      const since = (reason: keyof Dropped) =>
        Math.max(0, dropped[reason] - (before?.[reason] ?? 0));
      const fresh = {
        spoolFull: since('spoolFull'),
        spoolUnwritable: since('spoolUnwritable'),
        eventTooLarge: since('eventTooLarge'),
        recordFailed: since('recordFailed'),
      };
      if (Object.values(fresh).every((count) => count === 0)) return null;
      isChanged = true;
      known.delete(key);
      known.set(key, dropped);
      return fresh;
    },
    written() {
      if (!isChanged) return undefined;
      isChanged = false;
      return JSON.stringify(
        [...known].slice(-producersMax).map(([source, dropped]) => ({ source, dropped })),
      );
    },
  };
}

function hashSource(source: string): string {
  return createHash('sha256').update(source).digest('hex').slice(0, 16);
}
