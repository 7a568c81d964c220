import type { EventData, EventTypeName } from '@pi-ledger/contract';
import type { EventDraft } from '../../core/record/draft.ts';
import { liveEventId } from '../../core/record/identity/event-id.ts';
import { minuteMs } from '../../core/time/units.ts';

/** An event that only the running host shows: it happens now, and its id is drawn now. */
export function liveDraft<Name extends EventTypeName>(
  type: Name,
  sessionId: string,
  timeMs: number,
  data: EventData<Name>,
): EventDraft {
  return {
    id: liveEventId(timeMs),
    type,
    time: isoTime(timeMs),
    subject: sessionId,
    data,
  } as EventDraft;
}

/**
 * Same as `toISOString`, which takes twice as long when the code is cold: date and minute are
 * cached.
 */
function isoTime(ms: number): string {
  const minute = Math.floor(ms / minuteMs);
  if (minute !== lastMinute.minute)
    lastMinute = { minute, text: new Date(minute * minuteMs).toISOString().slice(0, -7) };
  const restMs = Math.floor(ms - minute * minuteMs);
  const seconds = Math.floor(restMs / 1_000);
  return `${lastMinute.text}${padded(seconds, 2)}.${padded(restMs - seconds * 1_000, 3)}Z`;
}

let lastMinute = { minute: 0, text: '1970-01-01T00:00:' };

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, '0');
}

/** It may repeat what subagents of this process record. */
export function isToolResult({ type }: EventDraft): boolean {
  return type === 'pi.tool.completed.v1';
}

/** It counts in the totals, or weighs in the context; what is at the top of a session does not. */
export function isCounted({ type, data }: EventDraft): boolean {
  return 'spend' in data || ('sizes' in data && type !== 'pi.model.changed.v1');
}
