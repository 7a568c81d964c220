/** Reads the log page by page, and what its rows say of single units. */
import type { AskCollector } from './ask.ts';
import { type Json, jsonObject } from './files/usage-figures.ts';
import { type LogRow, readEvent } from './log-events.ts';
import { readers } from './readers/registry.ts';
import type { Unit } from './unit.ts';

export interface LogUnit {
  readonly unit: Unit;
  readonly position: number;
  readonly eventId: string;
  readonly imported: boolean;
}

const pageEvents = 1_000;

/**
 * A unit where it finally counts: in the session it was last moved to. In its former session it is
 * not a record.
 */
export function unitAt(
  { event, position }: LogRow,
  movedAt: ReadonlyMap<string, number>,
): LogUnit | null {
  const said = readEvent(event);
  if (said.about === 'unit') {
    const eventId = String(event.id);
    return movedAt.has(eventId)
      ? null
      : { unit: said.unit, position, eventId, imported: isImported(event) };
  }
  if (said.about !== 'move' || movedAt.get(said.move.eventId) !== position) return null;
  return { unit: said.move.unit, position, eventId: said.move.eventId, imported: true };
}

export async function* rowsAfter(ask: AskCollector, after: number): AsyncGenerator<LogRow> {
  for (let next: number | null = after; next !== null; ) {
    const page = (await ask(`/v1/log?after=${next}&limit=${pageEvents}`)) as LogPage;
    for (const row of page.rows) yield toRow(row);
    next = page.next;
  }
}

function toRow({ position, event, withdrawn = false }: LogPage['rows'][number]): LogRow {
  const whole = jsonObject(event) ?? {};
  return withdrawn
    ? { position, event: { id: whole.id }, withdrawn: whole }
    : { position, event: whole };
}

interface LogPage {
  readonly rows: readonly {
    readonly position: number;
    readonly event: unknown;
    readonly withdrawn?: boolean;
  }[];
  readonly next: number | null;
}

/** Some agents take prices out of what they copy, and no others do. */
export function isUnsureUnpriced(
  { ownership, source }: Json,
  { priceSource, reported, claimKey }: Unit,
): boolean {
  return (
    priceSource === 'unpriced' &&
    reported &&
    claimKey === null &&
    ownership !== undefined &&
    ownership !== null &&
    unpricing.has(String(source))
  );
}

const unpricing: ReadonlySet<string> = new Set(
  readers.filter(({ unpricesCopies }) => unpricesCopies).map(({ name }) => `/importers/${name}`),
);

export function isImported(event: Json): boolean {
  return String(event.source).startsWith('/importers/');
}
