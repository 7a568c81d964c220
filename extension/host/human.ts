/**
 * What hosts tell of their user: that something was said, and that something is waited for. Never
 * what.
 *
 * Contract of all functions here: they never throw; what is not told is null.
 */

import { asObject, asText } from '../record/fields.ts';
import { called } from './host-call.ts';

export interface InputNotice {
  /** `interactive`, `rpc`, `extension`. */
  readonly source: string | null;
  /** How it reaches an agent at work. Null: it is at rest, or the host does not say. */
  readonly behaviour: 'steer' | 'followUp' | null;
}

/** `input`. */
export function inputOf(event: unknown): InputNotice {
  const body = asObject(event);
  const told = body?.streamingBehavior;
  return {
    source: asText(body?.source),
    behaviour: told === 'steer' || told === 'followUp' ? told : null,
  };
}

/** `ui_prompt_start` and `ui_prompt_end` (pi >= 0.87): one at a time. */
export function dialogKindOf(event: unknown): string {
  return asText(asObject(event)?.kind) ?? 'unknown';
}

export interface ApprovalNotice {
  readonly toolCallId: string;
  readonly toolName: string | null;
  readonly approved: boolean;
}

/** `tool_approval_requested` and `tool_approval_resolved` (omp). */
export function approvalOf(event: unknown): ApprovalNotice | null {
  const body = asObject(event);
  const toolCallId = asText(body?.toolCallId);
  return toolCallId === null
    ? null
    : { toolCallId, toolName: asText(body?.toolName), approved: body?.approved === true };
}

/**
 * omp does not read ahead (an experiment of its own, off unless set) for whoever listens to
 * approvals. True also where it cannot be told: then nobody listens.
 */
export function readsAhead(pi: unknown): boolean {
  const settings = asObject(asObject(asObject(pi)?.pi)?.settings);
  return called(settings, 'get', 'tools.speculativeExecution.enabled') !== false;
}
