/**
 * Groupings that no dimension holds, computed from several: sums get them as a dimension of their
 * own. Every sum keeps its measures, so all of them add up to the same total.
 */
import type { Grouping } from '@pi-ledger/contract/groupings';
import { findSuccessor, type Heads, heads } from '../../projections/heads.ts';
import { createFinder } from '../../projections/label-rules.ts';
import { noCommit } from '../../projections/session/notes/head-at.ts';
import type { SumRow, ViewsReader } from '../../views/views.ts';
import { underRoots } from '../sessions/trees.ts';
import type { VisibleViews } from '../views/visible-views.ts';

/** What a computed grouping needs of the rollup. */
export const computedFrom = {
  tree: ['session'],
  commit: ['project', 'branch', 'machine', 'head'],
  pr: ['project', 'branch'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export function isComputed(by: Grouping): by is keyof typeof computedFrom {
  return Object.hasOwn(computedFrom, by);
}

export interface ComputedOptions {
  /** All of them: which commit followed is nobody's secret. */
  readonly views: ViewsReader;
  /** The user's pattern for branches that are called after pull requests; null: none. */
  readonly pullRequests: string | null;
}

/** The sums with a dimension for each of these groupings that is computed. */
export async function withComputed(
  { views, pullRequests }: ComputedOptions,
  visible: VisibleViews,
  by: readonly Grouping[],
  sums: readonly SumRow[],
): Promise<readonly SumRow[]> {
  const rooted = by.includes('tree') ? await underRoots(visible.views, sums) : sums;
  const named = by.includes('pr')
    ? labelled(rooted, 'pr', pullRequestLabeller(pullRequests))
    : rooted;
  return by.includes('commit')
    ? labelled(named, 'commit', await commitLabeller(views, sums))
    : named;
}

function labelled(sums: readonly SumRow[], name: string, labeller: Labeller): readonly SumRow[] {
  return sums.map(({ dimensions, measures }) => ({
    dimensions: { ...dimensions, [name]: labeller(dimensions) },
    measures,
  }));
}

type Labeller = (dimensions: SumRow['dimensions']) => string;

/** `shop#12`, or `shop:feature/x` where the branch says no number; empty without a branch. */
function pullRequestLabeller(pattern: string | null): Labeller {
  const find = pattern === null ? () => null : createFinder(pattern);
  return ({ project = '', branch = '' }) => {
    if (branch === '') return '';
    const number = find(branch)?.get('number');
    return number === undefined ? `${project}:${branch}` : `${project}#${number}`;
  };
}

const notCommitted = 'not committed';
const noCommitKnown = 'no commit known';
const shortDigits = 10;

/**
 * The next commit that was seen on the branch after the one checked out, shortened. A commit that
 * several clones of a machine know is that of the row's project, where there is one.
 */
async function commitLabeller(views: ViewsReader, sums: readonly SumRow[]): Promise<Labeller> {
  const known = await branchesOf(views, sums);
  return ({ project = '', branch = '', machine = '', head = '' }) => {
    if (head === '') return noCommitKnown;
    const all = known.get(keyOf(branch, machine)) ?? [];
    const own = all.filter((each) => each.project === project);
    const next = nextOf(own, head) ?? nextOf(all, head);
    if (next === undefined) return head === noCommit ? notCommitted : noCommitKnown;
    return next === '' ? notCommitted : next.slice(0, shortDigits);
  };
}

interface Branch {
  readonly project: string;
  readonly heads: Heads;
}

/** Empty: none followed; undefined: the commit is not known. Of several, the first by name. */
function nextOf(branches: readonly Branch[], head: string): string | undefined {
  const found = branches.flatMap((each) => {
    const next = findSuccessor(each.heads, head);
    return next === undefined ? [] : [next ?? ''];
  });
  return found.filter((next) => next !== '').toSorted()[0] ?? found[0];
}

const documentsPerQuery = 200;
const branchesPerQuery = 200;

async function branchesOf(
  views: ViewsReader,
  sums: readonly SumRow[],
): Promise<ReadonlyMap<string, readonly Branch[]>> {
  const seen = sums.filter(({ dimensions }) => (dimensions.head ?? '') !== '');
  const valuesOf = (name: string) => [...new Set(seen.map((each) => each.dimensions[name] ?? ''))];
  const [names, machines] = [valuesOf('branch').toSorted(), valuesOf('machine')];
  const found = new Map<string, Branch[]>();
  for (let from = 0; from < names.length; from += branchesPerQuery) {
    const some = names.slice(from, from + branchesPerQuery);
    for await (const { columns, body } of documentsOf(views, some, machines)) {
      const key = keyOf(String(columns.branch), String(columns.machine));
      const branch = { project: String(columns.project), heads: heads.decode(body) };
      found.set(key, [...(found.get(key) ?? []), branch]);
    }
  }
  return found;
}

async function* documentsOf(views: ViewsReader, branches: string[], machines: string[]) {
  const where = [
    { column: 'branch', is: 'in' as const, values: branches },
    { column: 'machine', is: 'in' as const, values: machines },
  ];
  const orderBy = { column: 'key', descending: false };
  for (let after: string | null = null; ; ) {
    const page = await views.find(heads, {
      where,
      orderBy,
      limit: documentsPerQuery,
      ...(after === null ? {} : { after: { value: after, key: after } }),
    });
    yield* page;
    const last = page.at(-1);
    if (page.length < documentsPerQuery || last === undefined) return;
    after = last.key;
  }
}

function keyOf(branch: string, machine: string): string {
  return JSON.stringify([branch, machine]);
}
