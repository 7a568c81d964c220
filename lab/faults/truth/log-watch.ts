/**
 * Follows the log from its first event: positions of a cell have no gaps, no event is there twice,
 * in one cell or in two, none changed on its way, and none came from nowhere but the moves of what
 * two sessions claim.
 */
import { isDeepStrictEqual } from 'node:util';
import type { LedgerEvent } from '@pi-ledger/contract';
import { placeOf, planned } from '../load/events.ts';
import type { Offered } from './offered.ts';
import { createOwners, type Owners } from './owners.ts';

export interface LogRow {
  readonly position: number;
  readonly event: Pick<LedgerEvent, 'id' | 'type' | 'subject' | 'time' | 'data'>;
}

export interface LogWatch {
  /** Rows of one cell behind the last one seen of it. Returns what is wrong with them. */
  see(rows: readonly LogRow[]): readonly string[];
  /** The position of the last row seen of a cell, as `GET /v1/log` counts. */
  lastOf(cell: number): number;
  /** How often each id was seen. */
  readonly seen: ReadonlyMap<string, number>;
  readonly owners: Pick<Owners, 'misplaced' | 'moved'>;
}

/** As `GET /v1/log` numbers a ledger of several cells; with one cell there is only cell 0. */
const positionsPerCell = 2 ** 44;

export function cellOfRow({ position }: LogRow): number {
  return Math.floor(position / positionsPerCell);
}

export function createLogWatch(seed: number, offered: Pick<Offered, 'offered'>): LogWatch {
  const seen = new Map<string, number>();
  const last = new Map<number, number>();
  const owners = createOwners(seed);
  const lastOf = (cell: number): number => last.get(cell) ?? cell * positionsPerCell;

  function judge(row: LogRow): string[] {
    const { position, event } = row;
    const before = lastOf(cellOfRow(row));
    last.set(cellOfRow(row), position);
    const times = (seen.get(event.id) ?? 0) + 1;
    seen.set(event.id, times);
    return [
      ...(position === before + 1 ? [] : [`after position ${before} comes ${position}`]),
      ...(times === 1 ? [] : [`double: ${event.id} is in the log again at ${position}`]),
      ...owners.see(event),
      ...(event.type === 'pi.entry.moved.v1' ? [] : unlikeOffered(event)),
    ];
  }

  function unlikeOffered(event: LogRow['event']): readonly string[] {
    return [
      ...(offered.offered.has(event.id) ? [] : [`${event.id} was never offered`]),
      ...(isAsPlanned(seed, event) ? [] : [`${event.id} is not what was offered`]),
    ];
  }

  return { seen, lastOf, owners, see: (rows) => rows.flatMap(judge) };
}

function isAsPlanned(seed: number, { id, type, subject, time, data }: LogRow['event']): boolean {
  const place = placeOf(id);
  if (place === null) return false;
  const { event, copy } = planned(seed, place);
  return [event, copy].some(
    (offered) =>
      offered !== null &&
      isDeepStrictEqual(
        { type, subject, time, data },
        { type: offered.type, subject: offered.subject, time: offered.time, data: offered.data },
      ),
  );
}

/** What is missing of the ids that have to be there. */
export function lostOf(
  wanted: ReadonlySet<string>,
  seen: ReadonlyMap<string, number>,
): readonly string[] {
  return [...wanted].filter((id) => !seen.has(id)).map((id) => `lost: ${id} is not in the log`);
}

export function doublesIn(seen: ReadonlyMap<string, number>): number {
  return [...seen.values()].reduce((sum, times) => sum + times - 1, 0);
}
