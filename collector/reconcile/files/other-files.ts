/**
 * Files of JSON lines among the sessions that are none: what packages write down about a run, and
 * what a host prints of one (an event stream). A stream that begins with a header proves that a
 * session gave answers. Pure.
 */
import { type Json, jsonObject, usageFigures } from './usage-figures.ts';

/** A session whose answers a host printed. */
export interface Stream {
  readonly path: string;
  readonly sessionId: string;
  readonly answers: number;
}

/** Something that a host prints has no time of its own, unlike everything that it saves. */
export function isPrinted({ type, timestamp, id }: Json): boolean {
  if (timestamp !== undefined || id !== undefined || typeof type !== 'string') return false;
  const end = type.lastIndexOf('_');
  return (
    ['agent', 'turn', 'message', 'tool_execution'].includes(type.slice(0, end)) &&
    ['start', 'update', 'end', 'settled'].includes(type.slice(end + 1))
  );
}

/** pi-subagents names the run on each line, and other packages do. */
export function isOfRun({ runId, recordType, type, timestamp }: Json): boolean {
  const isSaved = typeof type === 'string' && typeof timestamp === 'string';
  return typeof runId === 'string' && runId !== '' && !isSaved && (recordType ?? type) != null;
}

/** A printed answer of a model that reported what it spent. */
export function isPrintedAnswer({ type, message }: Json): boolean {
  const { role, usage } = jsonObject(message) ?? {};
  return (
    type === 'message_end' && role === 'assistant' && usageFigures(jsonObject(usage) ?? {}).reported
  );
}
