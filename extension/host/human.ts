/**
 * Hook payloads about the user: that something was said, and that the host waits for an answer.
 * Never the content, but to give it back.
 *
 * Contract of all functions here: they never throw; missing values are null.
 */

import { asObject, asText } from '../../core/record/fields.ts';

export interface InputNotice {
  /** `interactive`, `rpc`, `extension`. */
  readonly source: string | null;
  /** How it reaches a working agent. Null: the agent is idle, or the host does not say. */
  readonly behaviour: 'steer' | 'followUp' | null;
}

/** `input`. */
export function readInput(event: unknown): InputNotice {
  const body = asObject(event);
  const told = body?.streamingBehavior;
  return {
    source: asText(body?.source),
    behaviour: told === 'steer' || told === 'followUp' ? told : null,
  };
}

/** `input`: what was typed, to be given back to its editor; it is kept nowhere. */
export function readInputText(event: unknown): string | null {
  const text = asObject(event)?.text;
  return typeof text === 'string' && text !== '' ? text : null;
}

/** `ui_prompt_start` and `ui_prompt_end` (pi >= 0.87): one at a time. */
export function readDialogKind(event: unknown): string {
  return asText(asObject(event)?.kind) ?? 'unknown';
}

export interface ApprovalNotice {
  readonly toolCallId: string;
  readonly toolName: string | null;
  readonly approved: boolean;
}

/** `tool_approval_requested` and `tool_approval_resolved` (omp). */
export function readApproval(event: unknown): ApprovalNotice | null {
  const body = asObject(event);
  const toolCallId = asText(body?.toolCallId);
  return toolCallId === null
    ? null
    : { toolCallId, toolName: asText(body?.toolName), approved: body?.approved === true };
}
