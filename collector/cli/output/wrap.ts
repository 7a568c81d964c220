import type { Terminal } from '../command.ts';
import type { Line } from '../line.ts';

/** Lines of at most this width, broken at blanks; a longer word stays whole. Null: one line. */
export function wrap(text: string, width: number | null): readonly string[] {
  if (width === null) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/**
 * A sentence on a screen; what follows its first line is indented. A command stays whole, wherever
 * it stands: it is there to be copied.
 */
export function wrapLine(line: Line, width: number | null): readonly Line[] {
  const text = typeof line === 'string' ? line : line.text;
  if (width === null || text.length <= width) return [line];
  const indent = ' '.repeat(Math.min(hangMax, hangOf(text)));
  const [first = '', ...more] = wrap(unbroken(text), width);
  const rest = wrap(more.join(' '), width - indent.length).map((each) => indent + each);
  const all = [first, ...rest].map((each) => each.replaceAll(noBreak, ' '));
  return all.map((each, at) =>
    at === 0 && typeof line !== 'string' ? { ...line, text: each } : each,
  );
}

/** Below what follows a name and a gap; else a little further right than the line itself. */
function hangOf(text: string): number {
  const named = /^\S+ {2,}/.exec(text);
  return named === null ? text.length - text.trimStart().length + hang : named[0].length;
}

/** Prints a sentence so that it fits. */
export function sayLine(terminal: Pick<Terminal, 'columns' | 'print'>, line: Line): void {
  for (const part of wrapLine(line, terminal.columns)) terminal.print(part);
}

const hang = 3;
const hangMax = 12;
const noBreak = '\u00a0';

/** A command at the end of a sentence, its name within one, what stands between backquotes. */
function unbroken(text: string): string {
  const joined = (part: string) => part.replaceAll(' ', noBreak);
  return text
    .replace(/`[^`]+`/g, joined)
    .replace(/(?<=: )(?:pi-ledger|npx|node|pi|omp) \S.*$/, joined)
    .replace(/\bpi-ledger (?=[a-z])/g, joined);
}
