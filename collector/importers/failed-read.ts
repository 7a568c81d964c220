import { type Issue, lostIn } from './issues.ts';
import type { ReadResult } from './threads/read-job.ts';

/**
 * The result for a source without anything to import. With a stamp, it is not tried again until it
 * changes.
 */
export function failedRead(issue: Issue, stamp: string | null): ReadResult {
  const issues = { list: [issue], count: 1, lostCount: lostIn([issue]) };
  return {
    stamp,
    bookmark: null,
    isFailed: true,
    bytes: 0,
    wentOn: false,
    issues,
    againAtMs: null,
    claims: [],
  };
}
