/** Records whose spend nobody tells: what they are. Pure. */
import type { UsageFigures } from '@pi-ledger/contract/answers';
import { countAttempts } from '@pi-ledger/contract/unreported';
import { formatCount } from './count.ts';

type Counts = Pick<UsageFigures, 'unreportedRecords' | 'packageRequests' | 'streamedAnswers'>;

/** Attempts of answers; what else is unreported is no attempt. */
export function attemptsIn(rows: readonly Counts[]): number {
  return rows.reduce((sum, row) => sum + countAttempts(row), 0);
}

/** Those that are no attempts, in words; empty if there are none. */
export function unwrittenWords(rows: readonly Counts[]): readonly string[] {
  const sum = (name: keyof Counts) => rows.reduce((all, row) => all + row[name], 0);
  const [requests, answers] = [sum('packageRequests'), sum('streamedAnswers')];
  return [
    ...(requests > 0 ? [`${countOf(requests, 'request')} by packages, cost unknown`] : []),
    ...(answers > 0 ? [`${countOf(answers, 'answer')} known only from event streams`] : []),
  ];
}

function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
