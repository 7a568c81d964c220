/**
 * What could not be read or counted, by file and line. An import lists it and goes on; where spend
 * may have been lost by it, it says so at its end, and reports say it beside their totals.
 */

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
  | 'text_left_out';

export interface Issue {
  readonly code: IssueCode;
  readonly file: string;
  /** From 1; null for the file as a whole. */
  readonly line: number | null;
  /** What was found and what was expected. */
  readonly message: string;
  /** What it tells of is in no total, and may hold spend. */
  readonly mayHoldSpend: boolean;
}

export interface IssueList {
  /** Of each file and code the first few, as they came. */
  readonly list: readonly Issue[];
  /** All, those that are not listed included. */
  readonly count: number;
  /** Of all, those that may hold spend. */
  readonly lostCount: number;
}

export interface Issues extends IssueList {
  add(issue: Issue): void;
  /** Those of another list; what it counts beyond them is counted. */
  addAll(issues: IssueList): void;
  clear(): void;
}

/** A file of another kind has as many bad lines as lines: the first few tell. */
const perFileAndCodeMax = 5;
/** Of those that may hold spend, and of the others. */
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
