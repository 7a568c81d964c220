/** The JSON value of a line, or its problems. Pure. */
import { asObject } from '@pi-ledger/core/record/fields';
import type { Issue } from '../issues.ts';
import { restoreLengths } from './long-line.ts';
import type { TextLine } from './session-file.ts';

export interface LineContent {
  readonly problems: readonly Pick<Issue, 'code' | 'message' | 'mayHoldSpend'>[];
  /** It is null for a blank line and for one that is left out. */
  readonly content: { readonly value: unknown } | { readonly damaged: string } | null;
}

/** A longer line of blanks counts as damaged. */
const blankBytesMax = 1_000;

export function parseContent(line: TextLine): LineContent {
  const { text, bytes } = line;
  if (text === null)
    return tooLong(`a line of ${bytes} bytes is too long even without its long texts: not read`);
  if (bytes < blankBytesMax && text.trim() === '') return { problems: [], content: null };
  const parsed = parse(text);
  if (parsed === undefined && !line.isFinished) {
    const message = `the last line breaks off after ${bytes} bytes; everything before it counts`;
    return { problems: [{ code: 'half_line', message, mayHoldSpend: false }], content: null };
  }
  const encoding = line.isUtf8 ? [] : [notUtf8];
  if (parsed === undefined) return { problems: encoding, content: { damaged: text } };
  if (line.cutMark === null || restoreLengths(parsed.value, line.cutMark))
    return { problems: encoding, content: parsed };
  const { problems } = tooLong(`a line of ${bytes} bytes has a long text in its usage: not read`);
  return { problems: [...encoding, ...problems], content: null };
}

/** omp's title line. */
export function isTitle(value: unknown): boolean {
  return asObject(value)?.type === 'title';
}

const notUtf8 = {
  code: 'not_utf8',
  message: 'expected UTF-8; invalid bytes were replaced',
  mayHoldSpend: false,
} as const;

function tooLong(message: string): LineContent {
  return { problems: [{ code: 'line_too_long', message, mayHoldSpend: true }], content: null };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // the caller says where
  }
}
