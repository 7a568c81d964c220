/** What the first lines of a file tell: whether it is a session's, and whose. */
import { type FileHeader, isEntry, readHeader } from './file-header.ts';
import { linesIn } from './lines.ts';
import { type Json, jsonObject, usageFigures } from './usage-figures.ts';

export interface FileHead {
  readonly header: FileHeader | null;
  readonly isEmpty: boolean;
  readonly mayHoldSpend: boolean;
  /** It is what a file of another kind proves; null for a session. */
  readonly printed: Printed | null;
}

interface Printed {
  readonly header: FileHeader | null;
  readonly answers: Map<string, number | null>;
}

/**
 * omp writes a title before the header. Without a header or an entry within these lines, it is
 * another kind of file.
 */
const headLinesMax = 20;

/** Reads up to the first line after the header, or to the first entry; another kind to its end. */
export function readHead(descriptor: number): FileHead {
  let head: FileHead = { header: null, isEmpty: true, mayHoldSpend: false, printed: null };
  for (const { text, number } of linesIn(descriptor)) {
    if (text?.trim() === '') continue;
    const line = parseLine(text ?? '') ?? {};
    const isDone = head.header !== null || number === headLinesMax || isEntry(line);
    head = withPrinted(head, line) ?? withLine(head, text, line);
    if (isDone && head.printed === null) break;
  }
  return head;
}

/** Returns null where the line is a session's, as far as it can be told. */
function withPrinted(head: FileHead, line: Json): FileHead | null {
  const { header, printed } = head;
  const isOther = printed !== null || isPrinted(line) || (header === null && isOfRun(line));
  if (!isOther) return null;
  const answers = printed?.answers ?? new Map<string, number | null>();
  addPrinted(answers, line);
  return { ...head, isEmpty: false, printed: { header, answers } };
}

function withLine(head: FileHead, text: string | null, line: Json): FileHead {
  if (head.header !== null) return head;
  const holdsSpend = text === null || isEntry(line) || speaksOfUsage(text);
  return {
    header: readHeader(line),
    isEmpty: false,
    mayHoldSpend: head.mayHoldSpend || holdsSpend,
    printed: null,
  };
}

/** Works for damaged lines in any encoding. */
export function speaksOfUsage(text: string): boolean {
  return text.replaceAll('\0', '').includes('"usage"');
}

/** Undefined for invalid JSON, null for anything but an object. */
export function parseLine(text: string): Json | null | undefined {
  try {
    return jsonObject(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

// Files of JSON lines among the sessions that are none: what packages write down about a run, and
// what a host prints of one (an event stream). A stream that begins with a header proves that a
// session gave answers. Pure.

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
