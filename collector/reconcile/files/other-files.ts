/**
 * Files of JSON lines among the sessions that are none: what packages write down about a run, and
 * what a host prints of one (an event stream). A stream that begins with a header proves that a
 * session gave answers. Pure.
 */
import { type Json, jsonObject, usageFigures } from './usage-figures.ts';

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

/** Adds a printed answer of a model that reported what it spent. */
export function addPrinted(answers: Map<string, number | null>, { type, message }: Json): void {
  const { role, usage, timestamp, responseId } = jsonObject(message) ?? {};
  if (type !== 'message_end' || role !== 'assistant') return;
  if (!usageFigures(jsonObject(usage) ?? {}).reported) return;
  const askedAtMs = typeof timestamp === 'number' ? timestamp : null;
  answers.set(JSON.stringify([askedAtMs, responseId, usage]), askedAtMs);
}
