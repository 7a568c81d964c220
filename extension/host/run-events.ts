/**
 * Payloads of the host events of a session at work.
 *
 * Contract of all functions here: they never throw; missing values are null or false.
 */
import { asEntryId, asList, asObject, asString, asText } from '../../core/record/fields.ts';

/** omp: the agent continues by itself (a retry, a compaction, a queued message). */
export function readWillContinue(event: unknown): boolean {
  return asObject(event)?.willContinue === true;
}

/** `turn_end`: tools were called, so another request follows. */
export function hasMoreTurns(event: unknown): boolean {
  return asList(asObject(event)?.toolResults).length > 0;
}

/** `agent_settled` (pi 1.x). */
export function readAborted(event: unknown): boolean {
  return asObject(event)?.aborted === true;
}

export interface ToolExecution {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly isError: boolean;
}

/** `tool_execution_start` and `tool_execution_end`. */
export function readToolExecution(event: unknown): ToolExecution | null {
  const body = asObject(event);
  const toolCallId = asText(body?.toolCallId);
  return toolCallId === null
    ? null
    : {
        toolCallId,
        toolName: asText(body?.toolName) ?? 'unknown',
        isError: body?.isError === true,
      };
}

export interface CompactionNotice {
  readonly entryId: string | null;
  /** `manual`, `threshold`, `overflow`, ...; null if the host does not say. */
  readonly trigger: string | null;
  readonly aborted: boolean;
  readonly willRetry: boolean | null;
  /** Length of the user's instructions for the summary; null if the event does not mention them. */
  readonly instructionsChars: number | null;
  readonly instructions: string | null;
  /** It is null if the event does not say. */
  readonly fromExtension: boolean | null;
}

/**
 * `session_before_compact`, `session_compact`, `session_compact_failed` (pi),
 * `auto_compaction_start` (omp).
 */
export function readCompaction(event: unknown): CompactionNotice {
  const body = asObject(event);
  return {
    entryId: asEntryId(asObject(body?.compactionEntry)?.id),
    trigger: asText(body?.reason),
    aborted: body?.aborted === true,
    willRetry: asBoolean(body?.willRetry),
    instructionsChars:
      body !== null && 'customInstructions' in body
        ? (asString(body.customInstructions)?.length ?? 0)
        : null,
    instructions:
      asText(body?.customInstructions) === null ? null : asString(body?.customInstructions),
    fromExtension: asBoolean(body?.fromExtension),
  };
}

/** omp's `auto_compaction_end`: null if it succeeded, or if there was nothing to do. */
export function readFailedAutoCompaction(event: unknown): CompactionNotice | null {
  const body = asObject(event);
  if (asObject(body?.result) !== null || body?.skipped === true) return null;
  return body?.aborted === true || asText(body?.errorMessage) !== null
    ? readCompaction(event)
    : null;
}

function asBoolean(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}
