/**
 * What could not be read or counted, by file and line. An import lists it and continues. If spend
 * may be missing because of it, the import says so at its end, and reports say so beside their
 * totals.
 */
import type { StreamedAnswers } from './proofs.ts';

export type IssueCode =
  | 'directory_unreadable'
  | 'file_unreadable'
  | 'file_gone'
  | 'no_header'
  | 'version_unknown'
  | 'line_too_long'
  | 'not_json'
  | 'not_utf8'
  | 'half_line'
  | 'not_an_entry'
  | 'nested_too_deep'
  | 'no_time'
  | 'time_in_future'
  | 'events_refused'
  | 'claim_left_out'
  | 'owner_unknown'
  | 'usage_in_unknown_place'
  | 'older_than_seal'
  | 'text_left_out'
  | 'session_not_saved'
  | 'private_before'
  | 'file_compressed';

export interface Issue {
  readonly code: IssueCode;
  readonly file: string;
  /** From 1; null for the file as a whole. */
  readonly line: number | null;
  /** What was expected and what was found. */
  readonly message: string;
  /** Whether it may hold spend, which is then in no total. */
  readonly mayHoldSpend: boolean;
  /** An issue only while no file of that session is known. */
  readonly streamed?: StreamedAnswers;
}

export interface IssueList {
  /** The first few of each file and code, in order. */
  readonly list: readonly Issue[];
  /** All issues, including unlisted ones. */
  readonly count: number;
  /** All issues that may hold spend. */
  readonly lostCount: number;
}

export interface Issues extends IssueList {
  add(issue: Issue): void;
  /** Adds another list's issues, and counts its unlisted ones. */
  addAll(issues: IssueList): void;
  clear(): void;
}

/** Every line of a foreign file is bad: the first few are enough. */
const perFileAndCodeMax = 5;
/** For issues that may hold spend, and for the others. */
const listedMax = 1_000;

export const noIssues: IssueList = { list: [], count: 0, lostCount: 0 };

export function createIssues(): Issues {
  const list: Issue[] = [];
  const seen = new Map<string, number>();
  let count = 0;
  let lostCount = 0;
  let lostListed = 0;

  function add(issue: Issue): void {
    count += 1;
    if (issue.mayHoldSpend) lostCount += 1;
    const kind = `${issue.code} ${issue.mayHoldSpend} ${issue.file}`;
    const before = seen.get(kind) ?? 0;
    const listed = issue.mayHoldSpend ? lostListed : list.length - lostListed;
    if (before >= perFileAndCodeMax || listed >= listedMax) return;
    seen.set(kind, before + 1);
    list.push(issue);
    if (issue.mayHoldSpend) lostListed += 1;
  }

  return {
    add,
    addAll(issues) {
      for (const issue of issues.list) add(issue);
      count += issues.count - issues.list.length;
      lostCount += issues.lostCount - lostIn(issues.list);
    },
    clear() {
      list.length = 0;
      seen.clear();
      count = 0;
      lostCount = 0;
      lostListed = 0;
    },
    list,
    get count() {
      return count;
    },
    get lostCount() {
      return lostCount;
    },
  };
}

export function lostIn(list: readonly Issue[]): number {
  return list.filter(({ mayHoldSpend }) => mayHoldSpend).length;
}
