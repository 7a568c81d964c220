/**
 * Exports events as NDJSON in the order of the log, one stored event per line:
 * `{"position":1,"receivedAt":"...","event":{...}}`, with the event exactly as received (a newline
 * between its tokens, which would end the line, becomes a space; U+0085, U+2028 and U+2029, which
 * some readers take for one, an escape).
 *
 * Works page by page: memory does not grow with the log.
 */

import { sealedType } from '../../log/history.ts';

/** A moment of `--since` or `--until`: a day (UTC) or an instant, from `resolveMoment`. */
interface Period {
  readonly since?: string | undefined;
  /** A day is inclusive, an instant exclusive. */
  readonly until?: string | undefined;
}

export interface ExportOptions {
  /** Lines of the events after this position, in order; empty after the last one. */
  readPage(after: number): Promise<string>;
  readonly period: Period;
  /** Resolves when it accepts more. */
  write(text: string): Promise<void>;
}

export interface Exported {
  readonly events: number;
  /**
   * The export contains parts of sealed history. A seal is in force only where a log says so: only
   * a copy of the store includes it.
   */
  readonly hasSealed: boolean;
  /** Events that were taken back; the export leaves them out. */
  readonly withdrawn: number;
  /** Events that cannot be read any more: the export lacks them. */
  readonly damaged: number;
}

export async function exportEvents({ readPage, period, write }: ExportOptions): Promise<Exported> {
  const isWithin = withinPeriod(period);
  let events = 0;
  let hasSealed = false;
  let withdrawn = 0;
  let damaged = 0;
  for (let after = 0; ; ) {
    const page = await readPage(after);
    if (page === '') return { events, hasSealed, withdrawn, damaged };
    const all = page.split('\n').slice(0, -1);
    const lines = all.filter(
      (line) => !isWithout(line, 'withdrawn') && !isWithout(line, 'damaged'),
    );
    withdrawn += all.filter((line) => isWithout(line, 'withdrawn')).length;
    damaged += all.filter((line) => isWithout(line, 'damaged')).length;
    const wanted = isWithin === null ? lines : lines.filter((line) => isWithin(eventTime(line)));
    if (wanted.length > 0) await write(`${wanted.join('\n')}\n`);
    events += wanted.length;
    hasSealed ||= wanted.some((line) => line.includes(sealedType));
    after = readPosition(all.at(-1));
  }
}

/** A line that says only why its event is not there. */
function isWithout(line: string, why: 'withdrawn' | 'damaged'): boolean {
  return line.endsWith(`"${why}":true}`) && !line.includes('"event":');
}

/**
 * Returns null for a period of all events. Times of the envelope have one format and sort as text.
 */
function withinPeriod({ since, until }: Period): ((time: string) => boolean) | null {
  if (since === undefined && until === undefined) return null;
  const first = since === undefined ? '' : parseStart(since);
  const end =
    until === undefined ? '9' : isDay(until) ? parseStart(dayAfter(until)) : parseStart(until);
  return (time) => time >= first && time < end;
}

function parseStart(moment: string): string {
  return isDay(moment) ? `${moment}T00:00:00.000Z` : moment;
}

function isDay(moment: string): boolean {
  return moment.length === 'YYYY-MM-DD'.length;
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000)
    .toISOString()
    .slice(0, 'YYYY-MM-DD'.length);
}

function eventTime(line: string): string {
  return (JSON.parse(line) as { readonly event: { readonly time: string } }).event.time;
}

function readPosition(line = ''): number {
  const position = /^\{"position":(\d+),/.exec(line)?.[1];
  if (position === undefined)
    throw new Error('This version of the collector cannot export: update it.');
  return Number(position);
}
