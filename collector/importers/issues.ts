/** What could not be read or counted, by file and line. An import lists it and goes on. */

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
  | 'claim_left_out'
  | 'usage_in_unknown_place'
  | 'text_left_out';

export interface Issue {
  readonly code: IssueCode;
  readonly file: string;
  /** From 1; null for the file as a whole. */
  readonly line: number | null;
  /** What was found and what was expected. */
  readonly message: string;
}

export interface Issues {
  add(issue: Issue): void;
  /** Those of another list; what it counts beyond them is counted. */
  addAll(issues: { readonly list: readonly Issue[]; readonly count: number }): void;
  clear(): void;
  /** Of each file and code the first few, as they came. */
  readonly list: readonly Issue[];
  /** All, those that are not listed included. */
  readonly count: number;
}

/** A file of another kind has as many bad lines as lines: the first few tell. */
const perFileAndCodeMax = 5;
const listedMax = 1_000;

export function createIssues(): Issues {
  const list: Issue[] = [];
  const seen = new Map<string, number>();
  let count = 0;
  function add(issue: Issue): void {
    count += 1;
    const kind = `${issue.code} ${issue.file}`;
    const before = seen.get(kind) ?? 0;
    if (before >= perFileAndCodeMax || list.length >= listedMax) return;
    seen.set(kind, before + 1);
    list.push(issue);
  }

  return {
    add,
    addAll(issues) {
      for (const issue of issues.list) add(issue);
      count += issues.count - issues.list.length;
    },
    clear() {
      list.length = 0;
      seen.clear();
      count = 0;
    },
    list,
    get count() {
      return count;
    },
  };
}
