/** Finds entries that may hold spend which is not counted. Pure. */
import type { EventDraft } from '@pi-ledger/core/record/draft';
import { type Entry, entryMessage, entryRole, parseTimeMs } from '@pi-ledger/core/record/entry';
import { asObject } from '@pi-ledger/core/record/fields';
import { isOfOtherAgent } from '@pi-ledger/core/record/other-agent';
import type { Issue } from '../issues.ts';
import { hasSpend } from './draft-spend.ts';
import { foundInText } from './found.ts';
import { unknownUsageIn } from './unknown-usage.ts';

type Doubt = Pick<Issue, 'code' | 'message' | 'mayHoldSpend'>;

/** `drafts`: the entry's events. Null when nothing is wrong. */
export function findDoubt(entry: Entry, drafts: readonly EventDraft[]): Doubt | null {
  if (drafts.length === 0 && parseTimeMs(entry.timestamp) === null) {
    const expected = 'a time such as 2026-11-22T09:00:00.000Z';
    const message = `expected ${expected}, found ${foundInText(entry.timestamp)}: not counted`;
    return {
      code: 'no_time',
      message,
      mayHoldSpend: entryRole(entry) === 'assistant' || holdsUsage(entry),
    };
  }
  const isKnown = drafts.some(mayCount) || isOfOtherAgent(entry);
  const place = isKnown ? null : unknownUsageIn(entry.body);
  if (place === null) return null;
  const message = `unknown usage at ${place} of an entry of type ${entry.type}: not counted`;
  return { code: 'usage_in_unknown_place', message, mayHoldSpend: false };
}

/** What a tool says about its subagents (`details`) is spend too. */
function holdsUsage(entry: Entry): boolean {
  return [entry.body, asObject(entryMessage(entry).details) ?? {}].some(
    (place) => unknownUsageIn(place) !== null,
  );
}

/** Whether a draft may count in a total. */
export function mayCount(draft: EventDraft): boolean {
  return hasSpend(draft) || draft.type === 'pi.subagent.claimed.v1';
}
