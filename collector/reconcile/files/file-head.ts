/** What the first lines of a file tell: whether it is a session's, and whose. */
import { type FileHeader, isEntry, readHeader } from './file-header.ts';
import { linesIn } from './lines.ts';
import { addPrinted, isOfRun, isPrinted } from './other-files.ts';
import { type Json, jsonObject } from './usage-figures.ts';

export interface Head {
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
export function readHead(descriptor: number): Head {
  let head: Head = { header: null, isEmpty: true, mayHoldSpend: false, printed: null };
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
function withPrinted(head: Head, line: Json): Head | null {
  const { header, printed } = head;
  const isOther = printed !== null || isPrinted(line) || (header === null && isOfRun(line));
  if (!isOther) return null;
  const answers = printed?.answers ?? new Map<string, number | null>();
  addPrinted(answers, line);
  return { ...head, isEmpty: false, printed: { header, answers } };
}

function withLine(head: Head, text: string | null, line: Json): Head {
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
