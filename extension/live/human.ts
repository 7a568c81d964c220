/**
 * The user, as the running host shows them: where input came from, and how long the agent waited
 * for an answer. Never the words.
 */
import type { EventData } from '@pi-ledger/contract';
import { hasUi } from '../host/host.ts';
import { readApproval, readDialogKind, readInput } from '../host/human.ts';
import type { HookCall } from './hook-call.ts';
import type { OpenWait } from './session-state.ts';
import { emit, type RecorderDeps, walk } from './steps.ts';
import { leafContext, stateAtLeaf } from './turn-steps.ts';

export function recordInput(call: HookCall, event: unknown, deps: RecorderDeps): void {
  const { run } = call.state;
  const isAtWork = run !== null && run.stopped === null;
  const { source, behaviour } = readInput(event);
  const { leafEntryId, promptEntryId } = leafContext(call);
  emit(call, deps, 'pi.input.received.v1', {
    source,
    delivery: behaviour ?? (isAtWork ? null : 'prompt'),
    leafEntryId,
    promptEntryId: isAtWork ? promptEntryId : null,
  });
}

export function openDialog(call: HookCall, event: unknown, deps: RecorderDeps): void {
  begin(call, deps, dialogKey, {
    kind: readDialogKind(event),
    toolCallId: null,
    toolName: null,
  });
}

export function closeDialog(call: HookCall, _event: unknown, deps: RecorderDeps): void {
  end(call, deps, dialogKey, { approved: null, answered: true });
}

/** Without an interface, omp denies approval by itself. */
export function openApproval(call: HookCall, event: unknown, deps: RecorderDeps): void {
  const approval = readApproval(event);
  if (approval === null || hasUi(call.ctx) === false) return;
  const { toolCallId, toolName } = approval;
  begin(call, deps, approvalKey(toolCallId), { kind: 'approval', toolCallId, toolName });
}

export function resolveApproval(call: HookCall, event: unknown, deps: RecorderDeps): void {
  const approval = readApproval(event);
  if (approval !== null)
    end(call, deps, approvalKey(approval.toolCallId), {
      approved: approval.approved,
      answered: true,
    });
}

/** The session ends without an answer. */
export function abandonWaits(call: HookCall, deps: RecorderDeps): void {
  for (const key of [...call.state.waits.keys()])
    end(call, deps, key, { approved: null, answered: false });
}

/** Limit of waits whose end is never reported. */
const waitsMax = 64;
const dialogKey = 'dialog';

function approvalKey(toolCallId: string): string {
  return `approval:${toolCallId}`;
}

/** The answer whose tool asks is recorded before the wait starts. */
function begin(
  call: HookCall,
  deps: RecorderDeps,
  key: string,
  what: Pick<OpenWait, 'kind' | 'toolCallId' | 'toolName'>,
): void {
  walk(call, deps);
  const { waits } = call.state;
  const [oldest] = waits.keys();
  if (waits.size >= waitsMax && oldest !== undefined) waits.delete(oldest);
  const leaf = stateAtLeaf(call);
  const where = {
    turnEntryId: leaf?.turnEntryId ?? null,
    promptEntryId: leaf?.promptEntryId ?? null,
  };
  waits.set(key, { ...what, ...where, startedMonotonicMs: deps.clock.monotonicMs() });
}

type Answer = Pick<EventData<'pi.human.waited.v1'>, 'approved' | 'answered'>;

function end(call: HookCall, deps: RecorderDeps, key: string, answer: Answer): void {
  const wait = call.state.waits.get(key);
  if (wait === undefined) return;
  call.state.waits.delete(key);
  const { startedMonotonicMs, ...what } = wait;
  const durationMs = Math.max(0, deps.clock.monotonicMs() - startedMonotonicMs);
  emit(call, deps, 'pi.human.waited.v1', { ...what, ...answer, durationMs });
}
