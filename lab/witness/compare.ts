/** Two records side by side: every answer that one has and the other has not. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface AnswerDifference {
  readonly file: string;
  readonly is: 'changed' | 'only before' | 'only after';
  /** They show the first lines that differ. */
  readonly lines: readonly string[];
}

const linesMax = 6;

export function differences(before: string, after: string): readonly AnswerDifference[] {
  const files = new Set([...filesIn(before), ...filesIn(after)]);
  return [...files].sort().flatMap((file) => difference(before, after, file));
}

function difference(before: string, after: string, file: string): readonly AnswerDifference[] {
  const [old, fresh] = [join(before, file), join(after, file)];
  if (!existsSync(old)) return [{ file, is: 'only after', lines: [] }];
  if (!existsSync(fresh)) return [{ file, is: 'only before', lines: [] }];
  const [one, other] = [readFileSync(old, 'utf8'), readFileSync(fresh, 'utf8')];
  return one === other ? [] : [{ file, is: 'changed', lines: changedLines(one, other) }];
}

/** By the place of the lines: enough to see what it is about. */
function changedLines(one: string, other: string): readonly string[] {
  const [before, after] = [one.split('\n'), other.split('\n')];
  const count = Math.max(before.length, after.length);
  const places = Array.from({ length: count }, (_, index) => index);
  return places
    .filter((index) => before[index] !== after[index])
    .slice(0, linesMax)
    .flatMap((index) => [`- ${before[index] ?? ''}`, `+ ${after[index] ?? ''}`]);
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
}
