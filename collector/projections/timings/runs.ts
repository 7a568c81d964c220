/** The runs of one session, one by one: the newest `runsMax`, whatever order they came in. */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import { compareText } from '../session/compare-text.ts';

type Completed = EventData<'pi.run.completed.v1'>;

export interface RunFact
  extends Pick<Completed, 'turns' | 'attempts' | 'errors' | 'durationMs' | 'outcome'> {
  /** When it ended. */
  readonly time: string;
  readonly promptEntryId: string | null;
  readonly toolCalls: number;
  readonly filesModified: number;
}

export function toRunFact({ time, data }: LedgerEvent<'pi.run.completed.v1'>): RunFact {
  const { promptEntryId, turns, attempts, errors, durationMs, outcome } = data;
  return {
    time,
    promptEntryId,
    turns,
    attempts,
    toolCalls: Object.values(data.toolCalls).reduce((sum, calls) => sum + calls, 0),
    errors,
    filesModified: data.filesModified.length,
    durationMs,
    outcome,
  };
}

export function keepNewest(runs: RunFact[], run: RunFact, runsMax: number): void {
  runs.splice(runs.findLastIndex((each) => compareRuns(each, run) <= 0) + 1, 0, run);
  if (runs.length > runsMax) runs.shift();
}

function compareRuns(left: RunFact, right: RunFact): number {
  return (
    compareText(left.time, right.time) || compareText(JSON.stringify(left), JSON.stringify(right))
  );
}
