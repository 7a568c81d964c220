/**
 * Names that attack terminals and spreadsheets: clipboard (OSC 52), colours (C1's CSI),
 * bidirectional marks, extra lines and cells.
 */
import { eventTypes, type LedgerEvent } from '@pi-ledger/contract';
import { createEventCheck } from '../../../collector/ingest/event-check.ts';
import { exampleEvent } from './events.ts';

export const hostileName =
  'n\u001b]52;c;eA==\u0007\u009b31m\u202e\u2067\u200f\u2028\u2029\ufeff\u007f\r\t\n=FORGED';

/** What no output may contain (except its own line ends), and lines that a name started. */
export function attacksIn(output: string): string[] {
  return (
    output.match(/[^\P{Cc}\n\r]|\r(?!\n)|[\p{Bidi_Control}\p{Zl}\p{Zp}\ufeff]|^"?=FORGED.*$/gmu) ??
    []
  );
}

/**
 * One event of each type that producers send, of one session and one model, hostile wherever its
 * schema allows.
 */
export function hostileEvents(first: number): LedgerEvent[] {
  const types = eventTypes.filter(({ type }) => !ofCollectors.has(type));
  return types.map(({ type }, index) => {
    const event = exampleEvent({ number: first + index, type });
    for (const key of ['subject', 'source', 'data']) makeHostile(event, event as never, key);
    return event;
  });
}

/** Refused from a producer. */
const ofCollectors: ReadonlySet<string> = new Set<LedgerEvent['type']>([
  'pi.history.sealed.v1',
  'pi.entry.moved.v1',
  'pi.records.labelled.v1',
  'pi.records.withdrawn.v1',
  'pi.budget.defined.v1',
  'pi.budget.crossed.v1',
]);
const check = createEventCheck();

function accepts(event: unknown): boolean {
  return check(event, '9999-01-01T00:00:00.000Z').kind === 'event';
}

/** Replaces one text after the other as long as the event stays valid. */
function makeHostile(event: LedgerEvent, parent: Record<string, unknown>, key: string): void {
  const value = parent[key];
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.keys(value))
      makeHostile(event, value as Record<string, unknown>, child);
  } else if (typeof value === 'string') {
    parent[key] = hostileName;
    if (!accepts(event)) parent[key] = value;
  }
}
