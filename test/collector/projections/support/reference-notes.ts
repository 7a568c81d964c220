/**
 * The labels and the commit of one record, worked out from all events of its session: a slow
 * reference, written from docs/labels.md.
 */
import type { LedgerEvent } from '@pi-ledger/contract';

export interface Labelled {
  readonly project: string;
  readonly branch: string;
  readonly user: string;
  readonly machine: string;
  readonly host: string;
  readonly provider: string;
  readonly model: string;
  readonly day: string;
  readonly startMs: number;
  readonly endMs: number;
}

type Said = LedgerEvent<'pi.session.labelled.v1'>;
type Late = LedgerEvent<'pi.records.labelled.v1'>;

export function expectedLabels(
  events: readonly LedgerEvent[],
  record: Labelled,
  ruled: Readonly<Record<string, string>>,
): string {
  const labels: Record<string, string> = { ...ruled };
  for (const key of ['ticket', 'team']) {
    const speaks = ({ data }: Said | Late) => key in data.labels;
    const said = inOrder(
      events.filter((event): event is Said => event.type === 'pi.session.labelled.v1'),
    ).filter(speaks);
    const begun = said.filter(({ time, data }) => data.whole || Date.parse(time) < record.endMs);
    const late = inOrder(
      events.filter((event): event is Late => event.type === 'pi.records.labelled.v1'),
    ).filter((event) => speaks(event) && fits(event, record));
    const value = late.at(-1)?.data.labels[key] ?? begun.at(-1)?.data.labels[key];
    if (value != null) labels[key] = value;
  }
  const sorted = Object.entries(labels).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return sorted.length === 0 ? '' : JSON.stringify(Object.fromEntries(sorted));
}

export function expectedHead(events: readonly LedgerEvent[], record: Labelled): string {
  const seen = inOrder(
    events.filter(
      (event): event is LedgerEvent<'pi.head.observed.v1'> =>
        event.type === 'pi.head.observed.v1' &&
        (event.data.project.branch ?? null) === record.branch,
    ),
  );
  const before = seen.filter(({ time, data }) => {
    const minuteMs = Math.floor(Date.parse(time) / 60_000) * 60_000;
    return data.afterTurn ? minuteMs < record.startMs : minuteMs <= record.startMs;
  });
  const head = before.at(-1) ?? seen[0];
  return head === undefined ? '' : (head.data.commit ?? 'none');
}

function fits({ data: { records } }: Late, record: Labelled): boolean {
  const { since, until, ...names } = records;
  const isSince =
    since === null ||
    (since.includes('T') ? record.startMs >= Date.parse(since) : record.day >= since);
  const isUntil =
    until === null ||
    (until.includes('T') ? record.startMs < Date.parse(until) : record.day <= until);
  const isNamed = Object.entries(names).every(
    ([name, value]) => value === null || value === record[name as keyof typeof names],
  );
  return isSince && isUntil && isNamed;
}

/** By time, then by content. */
function inOrder<Event extends Said | Late | LedgerEvent<'pi.head.observed.v1'>>(
  events: readonly Event[],
): Event[] {
  const text = ({ time, data }: Event) =>
    time +
    JSON.stringify(
      'labels' in data
        ? { ...data, labels: Object.fromEntries(Object.entries(data.labels).toSorted()) }
        : data,
    );
  return events.toSorted((left, right) => (text(left) < text(right) ? -1 : 1));
}
