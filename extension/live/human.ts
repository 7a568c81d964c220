/**
 * The user, as the running host shows them: what was said from where, and how long the agent waited
 * for an answer. Never the words.
 */
import type { EventData } from '@pi-ledger/contract';
import { hasUi } from '../host/host.ts';
import { approvalOf, dialogKindOf, inputOf } from '../host/human.ts';
import type { Handling } from './hook-call.ts';
import { circumstances, type Means, placeAtLeaf, say, walk } from './steps.ts';

export interface OpenWait {
  readonly kind: string;
  readonly toolCallId: string | null;
  readonly toolName: string | null;
  readonly turnEntryId: string | null;
  readonly promptEntryId: string | null;
  readonly startedMonotonicMs: number;
}

export function hearInput(handling: Handling, event: unknown, means: Means): void {
  const { run } = handling.state;
  const isAtWork = run !== null && run.stopped === null;
  const { source, behaviour } = inputOf(event);
  const { leafEntryId, promptEntryId } = circumstances(handling);
  say(handling, means, 'pi.input.received.v1', {
    source,
    delivery: behaviour ?? (isAtWork ? null : 'prompt'),
    leafEntryId,
    promptEntryId: isAtWork ? promptEntryId : null,
  });
}

export function openDialog(handling: Handling, event: unknown, means: Means): void {
  begin(handling, means, dialogKey, {
    kind: dialogKindOf(event),
    toolCallId: null,
    toolName: null,
  });
}

export function closeDialog(handling: Handling, _event: unknown, means: Means): void {
  end(handling, means, dialogKey, { approved: null, answered: true });
}

/** Where nobody can be asked, omp says no by itself. */
export function askApproval(handling: Handling, event: unknown, means: Means): void {
  const approval = approvalOf(event);
  if (approval === null || hasUi(handling.ctx) === false) return;
  const { toolCallId, toolName } = approval;
  begin(handling, means, approvalKey(toolCallId), { kind: 'approval', toolCallId, toolName });
}

export function hearApproval(handling: Handling, event: unknown, means: Means): void {
  const approval = approvalOf(event);
  if (approval !== null)
    end(handling, means, approvalKey(approval.toolCallId), {
      approved: approval.approved,
      answered: true,
    });
}

/** The session ends, and nobody has answered. */
export function giveUpWaits(handling: Handling, means: Means): void {
  for (const key of [...handling.state.waits.keys()])
    end(handling, means, key, { approved: null, answered: false });
}

/** Of waits whose end is never told. */
const waitsMax = 64;
const dialogKey = 'dialog';

function approvalKey(toolCallId: string): string {
  return `approval:${toolCallId}`;
}

/** An answer whose tool asks is recorded before the user is waited for. */
function begin(
  handling: Handling,
  means: Means,
  key: string,
  what: Pick<OpenWait, 'kind' | 'toolCallId' | 'toolName'>,
): void {
  walk(handling, means);
  const { waits } = handling.state;
  const [oldest] = waits.keys();
  if (waits.size >= waitsMax && oldest !== undefined) waits.delete(oldest);
  const place = placeAtLeaf(handling);
  const where = {
    turnEntryId: place?.turnEntryId ?? null,
    promptEntryId: place?.promptEntryId ?? null,
  };
  waits.set(key, { ...what, ...where, startedMonotonicMs: means.clock.monotonicMs() });
}

type Answer = Pick<EventData<'pi.human.waited.v1'>, 'approved' | 'answered'>;

function end(handling: Handling, means: Means, key: string, answer: Answer): void {
  const wait = handling.state.waits.get(key);
  if (wait === undefined) return;
  handling.state.waits.delete(key);
  const { startedMonotonicMs, ...what } = wait;
  const durationMs = Math.max(0, means.clock.monotonicMs() - startedMonotonicMs);
  say(handling, means, 'pi.human.waited.v1', { ...what, ...answer, durationMs });
}
