/**
 * Session trees: forks and subagents below the session they come from, by the parent named in each
 * session's row.
 *
 * Guarantees: every session is in exactly one tree. The root is the oldest ancestor whose id is
 * known, even if that ancestor was never recorded, so that the children of a lost session stay
 * together. In a cycle of parents (no host writes that), the alphabetically first is the root.
 * Reads from the store are bounded by the named limits.
 */
import { LedgerError } from '../../errors.ts';
import { sessions } from '../../projections/sessions.ts';
import type { Condition, SumRow, ViewsReader } from '../../views/views.ts';

/** The root of each session's tree. `only`: of the sessions that have a parent, such alone. */
export async function findRoots(
  views: ViewsReader,
  ids: readonly string[],
  only: readonly Condition[] = [],
): Promise<ReadonlyMap<string, string>> {
  const parents = await findParents(views, ids, only);
  const roots = new Map<string, string>();
  for (const id of ids) settleRoot(id, parents, roots);
  return new Map(ids.map((id) => [id, roots.get(id) ?? id]));
}

/**
 * Every session of the trees that these sessions belong to, including roots that were never
 * recorded.
 */
export async function findMembers(
  views: ViewsReader,
  ids: readonly string[],
  membersMax = membersMaxDefault,
): Promise<readonly string[]> {
  const members = new Set((await findRoots(views, ids)).values());
  for (let level = [...members]; level.length > 0; ) {
    const children = await findChildren(views, level);
    level = children.filter((child) => !members.has(child));
    for (const child of level) members.add(child);
    if (members.size > membersMax)
      throw tooLarge('tree', `more than ${membersMax} sessions belong to this tree.`);
  }
  return [...members];
}

/** Sums of sessions with one dimension more: `tree`, the id of the session's root. */
export async function underRoots(
  views: ViewsReader,
  sums: readonly SumRow[],
  only: readonly Condition[] = [],
): Promise<readonly SumRow[]> {
  const ids = new Set(sums.map(({ dimensions }) => dimensions.session ?? ''));
  const roots = await findRoots(views, [...ids], only);
  return sums.map(({ dimensions, measures }) => {
    const { session = '' } = dimensions;
    return { dimensions: { ...dimensions, tree: roots.get(session) ?? session }, measures };
  });
}

const sessionsMax = 200_000;
const membersMaxDefault = 10_000;
/** The most levels of ancestors to follow. */
const levelsMax = 1_000;
const idsPerQueryMax = 1_000;

/** The parent of each session that has one, and of its ancestors. */
async function findParents(
  views: ViewsReader,
  ids: readonly string[],
  only: readonly Condition[],
): Promise<Map<string, string>> {
  const parents = new Map<string, string>();
  const asked = new Set(ids);
  let wanted = [...asked];
  for (let level = 0; level < levelsMax && wanted.length > 0; level++) {
    if (asked.size > sessionsMax)
      throw tooLarge(
        'by',
        `a report by tree covers at most ${sessionsMax} sessions; choose a shorter period.`,
      );
    const links = await findLinks(views, 'key', wanted, [hasParent, ...only]);
    for (const { id, parent } of links) parents.set(id, parent);
    wanted = [...new Set(links.map(({ parent }) => parent))].filter((parent) => !asked.has(parent));
    for (const id of wanted) asked.add(id);
  }
  return parents;
}

async function findChildren(views: ViewsReader, ids: readonly string[]): Promise<string[]> {
  return (await findLinks(views, 'parentSessionId', ids, [])).map(({ id }) => id);
}

interface Link {
  readonly id: string;
  readonly parent: string;
}

/** An unknown parent is the empty string, which sorts before this. */
const hasParent: Condition = { column: 'parentSessionId', is: 'from', values: ['\u0001'] };

async function findLinks(
  views: ViewsReader,
  column: string,
  ids: readonly string[],
  where: readonly Condition[],
): Promise<Link[]> {
  const links: Link[] = [];
  for (let from = 0; from < ids.length; from += idsPerQueryMax) {
    const isOne: Condition = { column, is: 'in', values: ids.slice(from, from + idsPerQueryMax) };
    for (let last: Link | undefined; ; ) {
      const page = await views.find(sessions, {
        where: [isOne, ...where],
        orderBy: { column: 'key', descending: false },
        limit: idsPerQueryMax,
        bodies: false,
        ...(last === undefined ? {} : { after: { value: last.id, key: last.id } }),
      });
      links.push(
        ...page.map(({ key, columns }) => ({ id: key, parent: String(columns.parentSessionId) })),
      );
      last = links.at(-1);
      if (page.length < idsPerQueryMax) break;
      if (links.length > sessionsMax)
        throw tooLarge('tree', `more than ${sessionsMax} sessions belong to this tree.`);
    }
  }
  return links;
}

/** Remembers the root of every session on the way up, so that a long chain is walked only once. */
function settleRoot(
  id: string,
  parents: ReadonlyMap<string, string>,
  roots: Map<string, string>,
): void {
  const path = new Set<string>();
  let at = id;
  while (!roots.has(at) && !path.has(at)) {
    path.add(at);
    at = parents.get(at) ?? at;
  }
  const root = roots.get(at) ?? topOf([...path], at);
  for (const each of path) roots.set(each, root);
}

/**
 * The way up ended at a session already on it: a root, which stands for its own parent, or part of
 * a cycle.
 */
function topOf(path: readonly string[], at: string): string {
  return path.slice(path.indexOf(at)).toSorted()[0] ?? at;
}

function tooLarge(field: string, message: string): LedgerError {
  return new LedgerError('bad_parameter', { field, message: `${field}: ${message}` });
}
