/** Whether what a session used adds up to what a result says. Shares no code with the importers. */
import { readMessage } from './entry-fields.ts';
import { type ReadCount, readCount } from './hidden-subagents.ts';
import type { Json } from './usage-figures.ts';

/** Packages sum up answers, or with what the host spent beside them, or with what tools spent. */
export function addsUp(lines: readonly Json[], sums: readonly ReadCount[]): boolean {
  return [isAnswer, isNoToolResult, () => true].some((isSummed) =>
    isSumOfSome(lines.filter(isSummed), sums),
  );
}

export function isAnswer(line: Json): boolean {
  return readMessage(line)?.role === 'assistant';
}

function isNoToolResult(line: Json): boolean {
  return isAnswer(line) || readMessage(line) === null;
}

function countIn(line: Json): ReadCount {
  return readCount((readMessage(line) ?? line).usage);
}

/** Only records one after another make up a sum here, and one of them is an answer. */
function isSumOfSome(lines: readonly Json[], sums: readonly ReadCount[]): boolean {
  const wanted = sums.filter((sum) => sum.some((count) => count > 0));
  const totals = new Set<string>();
  let waiting: string[] = [];
  let total: ReadCount = [0, 0, 0, 0];
  for (const line of lines) {
    waiting.push(String(total));
    if (isAnswer(line)) {
      for (const before of waiting) totals.add(before);
      waiting = [];
    }
    total = each(total, countIn(line), (left, right) => left + right);
    const end = total;
    if (wanted.some((sum) => totals.has(String(each(end, sum, (left, right) => left - right)))))
      return true;
  }
  return false;
}

function each(
  left: ReadCount,
  right: ReadCount,
  by: (left: number, right: number) => number,
): ReadCount {
  const [input, output, cacheRead, cacheWrite] = right;
  return [by(left[0], input), by(left[1], output), by(left[2], cacheRead), by(left[3], cacheWrite)];
}
