/** The numbers of prompts. Pure. */
import type { TimelineItem } from '@pi-ledger/contract/answers';

export function promptsIn({ kind, merged }: TimelineItem): number {
  return kind === 'prompt' ? 1 : (merged?.prompts ?? 0);
}

/** Counts the prompts before an instant, ISO 8601; undefined: there is nothing before. */
export function promptsBefore(items: readonly TimelineItem[], from: string | undefined): number {
  if (from === undefined) return 0;
  return items.reduce((sum, item) => sum + (item.time < from ? promptsIn(item) : 0), 0);
}
