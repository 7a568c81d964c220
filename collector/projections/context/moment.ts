/**
 * Moments: what only the live host tells about time. They name the entry, call or prompt that they
 * are about, which may be in another chunk.
 */
import type { LedgerEvent } from '@pi-ledger/contract';

interface TurnMoment {
  readonly kind: 'turn';
  readonly time: string;
  /** The answer's entry. */
  readonly id: string;
  readonly durationMs: number | null;
  readonly firstMs: number | null;
  readonly status: number | null;
}

interface ToolMoment {
  readonly kind: 'tool';
  readonly time: string;
  /** The tool call. */
  readonly id: string;
  readonly durationMs: number;
}

interface RetryMoment {
  readonly kind: 'retry';
  readonly time: string;
  /** The failed attempt's entry. */
  readonly id: string | null;
  readonly attempt: number;
  /** Until the retry. */
  readonly durationMs: number | null;
}

interface WaitMoment {
  readonly kind: 'wait';
  readonly time: string;
  /** The answer that the user was asked about. */
  readonly id: string | null;
  readonly what: string;
  readonly approved: boolean | null;
  readonly durationMs: number;
}

interface RunMoment {
  readonly kind: 'run';
  readonly time: string;
  /** The prompt's entry. */
  readonly id: string | null;
  readonly outcome: string;
  readonly filesModified: number;
  readonly durationMs: number;
}

export type ContextMoment = TurnMoment | ToolMoment | RetryMoment | WaitMoment | RunMoment;

export function toMoment({ type, time, data }: LedgerEvent): ContextMoment | null {
  switch (type) {
    case 'pi.turn.timed.v1': {
      const { entryId, durationMs, timeToFirstByteMs, status } = data;
      return { kind: 'turn', time, id: entryId, durationMs, firstMs: timeToFirstByteMs, status };
    }
    case 'pi.tool.timed.v1':
      return { kind: 'tool', time, id: data.toolCallId, durationMs: data.durationMs };
    case 'pi.retry.scheduled.v1': {
      const { leafEntryId, attempt, delayMs } = data;
      return { kind: 'retry', time, id: leafEntryId, attempt, durationMs: delayMs };
    }
    case 'pi.human.waited.v1': {
      const { turnEntryId, approved, durationMs } = data;
      return { kind: 'wait', time, id: turnEntryId, what: data.kind, approved, durationMs };
    }
    case 'pi.run.completed.v1': {
      const { promptEntryId, outcome, durationMs } = data;
      const filesModified = data.filesModified.length;
      return { kind: 'run', time, id: promptEntryId, outcome, filesModified, durationMs };
    }
    default:
      return null;
  }
}
