/**
 * One run: from a prompt until the agent is idle. Turns and tools are counted as their entries are
 * recorded, so that a run never exceeds its entries; only the live host knows when it began and
 * ended.
 */
import type { EventData } from '@pi-ledger/contract';
import type { EventDraft } from '../../core/record/draft.ts';

export interface Run {
  readonly startedMonotonicMs: number;
  /** When the agent last stopped; it may continue (a retry, a compaction, a queued message). */
  stopped: { readonly atMs: number; readonly monotonicMs: number } | null;
  attempts: number;
  promptEntryId: string | null;
  turns: number;
  errors: number;
  /** The last turn ended with it. */
  stopReason: string | null;
  readonly toolCalls: Map<string, number>;
  readonly filesModified: Set<string>;
  /** Total of all names in `filesModified`. */
  fileChars: number;
}

export function startRun(monotonicMs: number): Run {
  return {
    startedMonotonicMs: monotonicMs,
    stopped: null,
    attempts: 0,
    promptEntryId: null,
    turns: 0,
    errors: 0,
    stopReason: null,
    toolCalls: new Map(),
    filesModified: new Set(),
    fileChars: 0,
  };
}

/** An entry of this run was recorded. */
export function observe(run: Run, draft: EventDraft): void {
  if (draft.type === 'pi.turn.completed.v1') observeTurn(run, draft.data);
  if (draft.type === 'pi.tool.completed.v1') observeTool(run, draft.data);
}

/**
 * A run that was retried and finally failed is one failed run. `aborted` is what the host says, if
 * it does.
 */
export function runData(
  run: Run,
  endedMonotonicMs: number,
  aborted: boolean,
): EventData<'pi.run.completed.v1'> {
  return {
    promptEntryId: run.promptEntryId,
    turns: run.turns,
    attempts: Math.max(run.attempts, 1),
    toolCalls: Object.fromEntries(run.toolCalls),
    errors: run.errors,
    filesModified: [...run.filesModified],
    durationMs: Math.max(0, endedMonotonicMs - run.startedMonotonicMs),
    outcome: aborted ? 'aborted' : runOutcome(run),
  };
}

const toolNamesMax = 200;
const filesMax = 1000;
const fileCharsMax = 64 * 1024;
const modifyingTools = new Set(['write', 'edit', 'multi_edit', 'apply_patch', 'ast_edit']);

function runOutcome(run: Run): EventData<'pi.run.completed.v1'>['outcome'] {
  switch (run.stopReason) {
    case null:
    case 'error':
      return 'failed';
    case 'aborted':
      return 'aborted';
    case 'length':
      return 'length';
    default:
      return 'completed';
  }
}

function observeTurn(run: Run, turn: EventData<'pi.turn.completed.v1'>): void {
  run.turns += 1;
  run.promptEntryId ??= turn.promptEntryId;
  run.stopReason = turn.stopReason;
  if (turn.stopReason === 'error' || turn.stopReason === 'aborted') run.errors += 1;
  for (const [name, calls] of Object.entries(turn.toolCalls)) {
    if (run.toolCalls.has(name) || run.toolCalls.size < toolNamesMax)
      run.toolCalls.set(name, (run.toolCalls.get(name) ?? 0) + calls);
  }
}

function observeTool(run: Run, tool: EventData<'pi.tool.completed.v1'>): void {
  if (tool.isError) run.errors += 1;
  if (tool.isError || !modifyingTools.has(tool.toolName)) return;
  for (const path of tool.paths) addFile(run, path);
}

function addFile(run: Run, path: string): void {
  if (
    run.filesModified.has(path) ||
    run.filesModified.size === filesMax ||
    run.fileChars + path.length > fileCharsMax
  )
    return;
  run.filesModified.add(path);
  run.fileChars += path.length;
}
