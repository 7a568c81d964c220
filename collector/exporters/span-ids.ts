/**
 * Ids of traces and spans, derived from what they are about: whatever is exported again, by whom
 * and when, has the same ids. Spans and log records share them. Pure.
 *
 * All are in lower-case hexadecimal, and never zero, which OpenTelemetry takes for invalid.
 */
import { createHash } from 'node:crypto';

/** 16 bytes: one trace for each agent run, which its prompt begins. */
export function promptTraceId(sessionId: string, promptEntryId: string): string {
  return hashToId(16, 'trace', sessionId, promptEntryId);
}

/** In place of a prompt: the run of a session before its first one. */
export const noPrompt = '';

/** 16 bytes: the trace of what belongs to no run. */
export function loneTraceId(eventId: string): string {
  return hashToId(16, 'lone', eventId);
}

/** 8 bytes: the span of that run, the root of its trace. */
export function runSpanId(sessionId: string, promptEntryId: string): string {
  return hashToId(8, 'run', sessionId, promptEntryId);
}

/** 8 bytes: the span that one event is about. */
export function eventSpanId(eventId: string): string {
  return hashToId(8, 'event', eventId);
}

function hashToId(bytes: number, domain: string, ...parts: readonly string[]): string {
  const text = JSON.stringify(['pi-ledger', domain, ...parts]);
  const id = createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * bytes);
  return /[^0]/.test(id) ? id : id.replace(/0$/, '1');
}
