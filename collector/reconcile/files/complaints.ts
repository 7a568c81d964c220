/** Unreadable lines: how many there are, and which of them may hold spend. */
import { speaksOfUsage } from './file-head.ts';
import type { FileLine } from './lines.ts';
import type { FileProblem } from './session-files.ts';
import type { Json } from './usage-figures.ts';

/** The most unreadable lines listed per file; the rest are only counted. */
const listedMax = 100;
/** An entry's id stands near the start of its line, except in custom entries. */
const idWithinChars = 2_000;
const more = {
  unreadable_line: 'unreadable',
  line_left_out: 'unreadable',
  unknown_place: 'like that',
} as const;

interface Complaints {
  add(problem: FileProblem): void;
  /** Returns the number of lines. */
  end(): number;
}

/** Collects the problems of one file. */
export function createComplaints(
  path: string,
  problems: FileProblem[],
  entryIds: Set<string>,
): Complaints {
  const counts = {
    unreadable_line: 0,
    line_left_out: 0,
    file_left_out: 0,
    format_unknown: 0,
    unknown_place: 0,
  };
  return {
    add(problem) {
      counts[problem.reason] += 1;
      if (problem.entryId !== undefined) entryIds.add(problem.entryId);
      if (counts[problem.reason] <= listedMax) problems.push(problem);
    },
    end() {
      for (const reason of ['unreadable_line', 'line_left_out', 'unknown_place'] as const) {
        const lines = counts[reason] - listedMax;
        if (lines > 0)
          problems.push({
            path,
            line: null,
            message: `${lines} more lines are ${more[reason]}`,
            reason,
            lines,
          });
      }
      return counts.unreadable_line + counts.line_left_out;
    },
  };
}

/**
 * `parsed`: undefined for invalid JSON, null for anything but an object. `isHead`: only a title
 * precedes the line.
 */
export function describeProblem(
  path: string,
  line: FileLine,
  parsed: Json | null | undefined,
  isHead: boolean,
): FileProblem {
  const entryId = /"id":"([^"\\]{1,100})"/.exec(line.text?.slice(0, idWithinChars) ?? '')?.[1];
  return {
    path,
    line: line.number,
    message: expected(line.text, parsed),
    reason: mayHoldSpend(line, parsed, isHead) ? 'line_left_out' : 'unreadable_line',
    ...(entryId !== undefined && { entryId }),
  };
}

/**
 * A damaged line may have been anything, with two exceptions: a last line without an end is still
 * being written, or was when its host died, and no host counts it; the first line is the header.
 */
function mayHoldSpend(
  { text, hasEnd }: FileLine,
  parsed: Json | null | undefined,
  isHead: boolean,
): boolean {
  if (text === null) return true;
  if (parsed === null) return speaksOfUsage(text);
  if (parsed !== undefined) return true;
  return hasEnd && !(isHead && !speaksOfUsage(text));
}

function expected(text: string | null, parsed: Json | null | undefined): string {
  if (text === null) return 'expected an entry; the line is too long';
  return parsed == null
    ? 'expected a JSON object'
    : 'spend without a valid time or id, or nested too deep';
}
