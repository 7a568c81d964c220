/**
 * Payloads of the host events with which a session begins and ends.
 *
 * Contract of all functions here: they never throw; missing values are null or false.
 */
import { asObject, asString, asText } from '../../core/record/fields.ts';

/** `session_start` (pi), `session_switch` and `session_branch` (omp). */
export function readPreviousSessionFile(event: unknown): string | null {
  return asString(asObject(event)?.previousSessionFile);
}

export interface Fork {
  /** The file; pi 0.73 does not say it in the header of one that begins before the first prompt. */
  readonly from: string | null;
}

/** Returns null if no user made a fork (pi) or a branch (omp). */
export function readFork(event: unknown): Fork | null {
  const body = asObject(event);
  const isFork = body?.reason === 'fork' || body?.type === 'session_branch';
  return isFork ? { from: readPreviousSessionFile(event) } : null;
}

/**
 * A user opens the session in place of the one before. Packages, which start sessions beside it,
 * give pi's default reason.
 */
export function isOpenedByUser(trigger: string, event: unknown): boolean {
  if (trigger === 'session_switch' || trigger === 'session_branch') return true;
  const reason = asObject(event)?.reason;
  return trigger === 'session_start' && reason !== undefined && reason !== 'startup';
}

/**
 * The session was just created in this process: by `/new` or a fork (reported by pi and omp), or by
 * omp's branch.
 */
export function beginsSession(event: unknown): boolean {
  const body = asObject(event);
  if (body?.type === 'session_branch') return true;
  const isStart = body?.type === 'session_start' || body?.type === 'session_switch';
  return isStart && (body.reason === 'new' || body.reason === 'fork');
}

export function readShutdownReason(event: unknown): string | null {
  return asText(asObject(event)?.reason);
}
