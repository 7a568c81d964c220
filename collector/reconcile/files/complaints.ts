/** Lines that cannot be read: which of them may hold spend, and how many there are. */
import type { FileLine } from './lines.ts';
import { type FileProblem, speaksOfUsage } from './session-files.ts';
import type { Json } from './usage-figures.ts';

/** Unreadable lines of a file that are listed; those beyond are counted together. */
const listedMax = 100;
/** An entry's id stands in front, but for a custom one's. */
const idWithinChars = 2_000;

interface Complaints {
  add(problem: FileProblem): void;
  /** How many lines they were. */
  end(): number;
}

/** Of one file. */
export function createComplaints(
  path: string,
  problems: FileProblem[],
  entryIds: Set<string>,
): Complaints {
  const counts = { unreadable_line: 0, line_left_out: 0, file_left_out: 0, format_unknown: 0 };
  return {
    add(problem) {
      counts[problem.reason] += 1;
      if (problem.entryId !== undefined) entryIds.add(problem.entryId);
      if (counts[problem.reason] <= listedMax) problems.push(problem);
    },
    end() {
      for (const reason of ['unreadable_line', 'line_left_out'] as const) {
        const lines = counts[reason] - listedMax;
        if (lines > 0)
          problems.push({
            path,
            line: null,
            message: `${lines} more lines cannot be read`,
            reason,
            lines,
          });
      }
      return counts.unreadable_line + counts.line_left_out;
    },
  };
}

/**
 * `parsed`: undefined for what is no JSON, null for what is no object. `isHead`: nothing but a
 * title stands in front of it.
 */
export function problemOf(
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
 * A damaged line may have been anything. But the last one, without its end, is being written, or
 * was when its host died: no host counts it. And the first one is the header.
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
  if (text === null) return 'the line is too long; expected an entry';
  return parsed == null
    ? 'expected a JSON object'
    : 'spend without a readable time or an id, or nested too deep';
}
