/** Which sessions changed between two positions of the log, as one caller may see it. */
import type { LiveLine } from '@pi-ledger/contract/answers';
import type { Log } from '../../../log/log.ts';
import { readEvent } from '../../../log/stored-event.ts';
import { sessions } from '../../../projections/sessions.ts';
import type { ViewsReader } from '../../../views/views.ts';

/** Beyond it nothing is read: an import tells that there is more, and costs no time. */
const eventsMax = 500;
const charsMax = 1024 * 1024;
const sessionsMax = 50;

export interface ChangedSpan {
  /** Exclusive. */
  readonly from: number;
  readonly to: number;
}

export interface ChangedIds {
  readonly ids: readonly string[];
  /** There are others. */
  readonly more: boolean;
}

export type ReadChangedIds = (span: ChangedSpan) => Promise<ChangedIds>;

export async function changedIds(log: Log, { from, to }: ChangedSpan): Promise<ChangedIds> {
  if (to - from > eventsMax) return { ids: [], more: true };
  const texts = await log.readTexts(from, eventsMax, charsMax);
  const ids = new Set(
    texts
      .filter(({ position }) => position <= to)
      .map((text) => readEvent(text).event.subject.toWellFormed()),
  );
  const last = texts.at(-1)?.position ?? to;
  return atMost([...ids], last < to);
}

export function joinChangedIds(parts: readonly ChangedIds[]): ChangedIds {
  const ids = new Set(parts.flatMap((part) => part.ids));
  return atMost(
    [...ids],
    parts.some(({ more }) => more),
  );
}

function atMost(ids: readonly string[], more: boolean): ChangedIds {
  return { ids: ids.slice(0, sessionsMax), more: more || ids.length > sessionsMax };
}

/** `views`: as the caller may see them. */
export async function visibleSessions(
  views: ViewsReader,
  ids: readonly string[],
): Promise<NonNullable<LiveLine['sessions']>> {
  if (ids.length === 0) return [];
  const found = await views.find(sessions, {
    where: [{ column: 'key', is: 'in', values: ids }],
    orderBy: { column: 'key', descending: false },
    limit: ids.length,
    bodies: false,
  });
  return found.map(({ key, columns }) => ({ id: key, project: readText(columns.project) }));
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
