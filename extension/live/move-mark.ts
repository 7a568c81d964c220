import type { Marks } from '../../core/spool/marks.ts';
import type { HookCall } from './hook-call.ts';

/** A mark says that everything up to this entry, in file order, is recorded. */
export function moveMark({ state, scannedTo }: HookCall, marks: Marks): void {
  const isComplete = state.backlog.length === 0 && !state.hasGap && !state.owesStart;
  if (
    scannedTo === null ||
    state.file === null ||
    !isComplete ||
    scannedTo.id === state.markedEntryId
  )
    return;
  const mark = { entryId: scannedTo.id, timestamp: scannedTo.timestamp };
  if (marks.write(state.id, mark)) state.markedEntryId = scannedTo.id;
}
