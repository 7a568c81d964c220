/** How a table writes figures, times and ids: short where it is narrow, in full elsewhere. */
import { grouped } from '@pi-ledger/contract/amounts';
import { formatCalendarDay, formatMoment, formatTime, shortCount } from './format.ts';
import { shortIds } from './short-ids.ts';

export interface Writing {
  count(count: number | bigint | string): string;
  /** `today 19:33` or `Tue 17 Nov`; in full output `2026-11-17 14:05`. '' for null. */
  day(iso: string | null): string;
  /** A day without a time: `today`, `Tue 17 Nov`; in full output `2026-11-17`. */
  calendarDay(day: string): string;
  /** Like `day`, always with the time: `Tue 17 Nov 14:05`. */
  time(iso: string | null): string;
  /** Names each of these: short ones on a terminal, which every command takes. */
  idsOf(ids: readonly string[]): (id: string) => string;
}

interface Manner {
  readonly isShort: boolean;
  /** When it is null, times and ids are written in full. */
  readonly now: Date | null;
  /** Undefined: the reader's own. */
  readonly timeZone?: string | undefined;
}

export const inFull: Writing = writingOf({ isShort: false, now: null });

/** Narrower terminals have short figures. */
const fullFiguresFrom = 120;

/** On a terminal; `columns`: null where all is in full. */
export function writingOn(
  { columns, now }: { readonly columns: number | null; readonly now: () => Date },
  timeZone: string | undefined,
): Writing {
  return writingOf({
    isShort: columns !== null && columns < fullFiguresFrom,
    now: columns === null ? null : now(),
    timeZone,
  });
}

export function writingOf({ isShort, now, timeZone }: Manner): Writing {
  const moment = (iso: string | null, withTime: boolean) =>
    now === null ? formatTime(iso, timeZone) : formatMoment(iso, { now, timeZone, withTime });
  return {
    count: isShort ? shortCount : grouped,
    day: (iso) => moment(iso, false),
    calendarDay: (day) => (now === null ? day : formatCalendarDay(day, { now, timeZone })),
    time: (iso) => moment(iso, true),
    idsOf: (ids) => (now === null ? (id) => id : shortIds(ids)),
  };
}
