/** Labels as a rollup has them: canonical JSON, its keys sorted, empty without any. */
import { compareText } from '../compare-text.ts';

export function labelText(labels: ReadonlyMap<string, string>): string {
  if (labels.size === 0) return '';
  const sorted = [...labels].toSorted(([left], [right]) => compareText(left, right));
  return JSON.stringify(Object.fromEntries(sorted));
}

export function labelsIn(text: string): Map<string, string> {
  const labels: Readonly<Record<string, string>> = text === '' ? {} : JSON.parse(text);
  return new Map(Object.entries(labels));
}
