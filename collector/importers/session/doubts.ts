/** An entry that was read, and of which something is not counted that perhaps should be. Pure. */
import type { EventDraft } from '@pi-ledger/extension/record/draft';
import { type Entry, messageOf, roleOf, timeMsOf } from '@pi-ledger/extension/record/entry';
import { asObject } from '@pi-ledger/extension/record/fields';
import type { Issue } from '../issues.ts';
import { hasSpend } from './entry-recorder.ts';
import { foundInText } from './found.ts';
import { unknownUsageIn } from './unknown-usage.ts';

type Doubt = Pick<Issue, 'code' | 'message' | 'mayHoldSpend'>;

/** `drafts`: what came of it. Null when nothing is wrong. */
export function doubtOf(entry: Entry, drafts: readonly EventDraft[]): Doubt | null {
  if (drafts.length === 0 && timeMsOf(entry.timestamp) === null) {
    const message = `expected a time such as 2026-11-22T09:00:00.000Z, found ${foundInText(entry.timestamp)}: not counted`;
    return {
      code: 'no_time',
      message,
      mayHoldSpend: roleOf(entry) === 'assistant' || holdsUsage(entry),
    };
  }
  const place = drafts.some(mayCount) ? null : unknownUsageIn(entry.body);
  if (place === null) return null;
  const message = `an entry of type ${entry.type} has usage at ${place}, where none is known: not counted`;
  return { code: 'usage_in_unknown_place', message, mayHoldSpend: false };
}

/** What a tool says of its subagents (`details`) is spend as well. */
function holdsUsage(entry: Entry): boolean {
  return [entry.body, asObject(messageOf(entry).details) ?? {}].some(
    (place) => unknownUsageIn(place) !== null,
  );
}

/** Whether a draft can be in a total. */
export function mayCount(draft: EventDraft): boolean {
  return hasSpend(draft) || draft.type === 'pi.subagent.claimed.v1';
}
