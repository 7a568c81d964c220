/**
 * The sessions that share a tree of entries: the ancestors a session was forked from, whose entries
 * stand above its own, and the forks in which it continues. A subagent begins with an empty
 * context, so it shares nothing.
 */
import type { Scalar } from '../../projections/projection.ts';
import { sessions } from '../../projections/sessions.ts';
import type { Condition, ViewDocument, ViewsReader } from '../../views/views.ts';

/** The session itself, its ancestors (nearest first), then its forks and their forks. */
export type Lineage = readonly [own: string, ...others: string[]];

const levelsMax = 100;
/** The most forks considered for one session. */
const forksMax = 200;
const idsPerQueryMax = 500;
const documentsPerQueryMax = 1_000;

/** If it is null, all sessions may enter, and no body is read. */
type MayEnter = ((document: ViewDocument) => boolean) | null;

/**
 * `mayEnter`: whether the caller may see this session; what is only reachable through a hidden one
 * is left out too.
 */
export async function findLineages(
  views: ViewsReader,
  own: readonly ViewDocument[],
  mayEnter: MayEnter,
): Promise<readonly Lineage[]> {
  const parents = await findParents(views, own, mayEnter);
  const forks = await findForks(views, own, mayEnter);
  return own.map(({ key }) => [key, ...ancestorsOf(key, parents), ...forksOf(key, forks)]);
}

type Parents = ReadonlyMap<string, string | null>;

/** The parent of each session that was found. */
async function findParents(
  views: ViewsReader,
  own: readonly ViewDocument[],
  mayEnter: MayEnter,
): Promise<Parents> {
  const parents = new Map<string, string | null>();
  let level = own;
  for (let depth = 0; depth < levelsMax && level.length > 0; depth++) {
    for (const { key, columns } of level) parents.set(key, parentOf(columns));
    const wanted = level
      .flatMap(({ columns }) => parentOf(columns) ?? [])
      .filter((id) => !parents.has(id));
    level = await findBy(views, 'key', wanted, mayEnter);
  }
  return parents;
}

type Forks = ReadonlyMap<string, readonly string[]>;

async function findForks(
  views: ViewsReader,
  own: readonly ViewDocument[],
  mayEnter: MayEnter,
): Promise<Forks> {
  const forks = new Map<string, string[]>();
  let level: readonly string[] = own.map(({ key }) => key);
  for (let depth = 0; depth < levelsMax && level.length > 0; depth++) {
    for (const id of level) forks.set(id, []);
    const found = (await findBy(views, 'parentSessionId', level, mayEnter)).filter(
      ({ columns }) => parentOf(columns) !== null,
    );
    for (const { key, columns } of found) forks.get(parentOf(columns) ?? '')?.push(key);
    level = found.map(({ key }) => key).filter((id) => !forks.has(id));
  }
  return forks;
}

async function findBy(
  views: ViewsReader,
  column: 'key' | 'parentSessionId',
  ids: readonly string[],
  mayEnter: MayEnter,
): Promise<ViewDocument[]> {
  const asked = [...new Set(ids)];
  const found: ViewDocument[] = [];
  for (let from = 0; from < asked.length; from += idsPerQueryMax) {
    const where: Condition[] = [
      { column, is: 'in', values: asked.slice(from, from + idsPerQueryMax) },
    ];
    for (let last: ViewDocument | undefined; ; ) {
      const after = last === undefined ? {} : { after: { value: last.key, key: last.key } };
      const page = await views.find(sessions, {
        where,
        orderBy: { column: 'key', descending: false },
        limit: documentsPerQueryMax,
        bodies: mayEnter !== null,
        ...after,
      });
      found.push(...(mayEnter === null ? page : page.filter(mayEnter)));
      last = page.at(-1);
      if (page.length < documentsPerQueryMax) break;
    }
  }
  return found;
}

/** Ancestors, as far up as they were found. */
function ancestorsOf(own: string, parents: Parents): readonly string[] {
  const ancestors: string[] = [];
  for (
    let at = parents.get(own) ?? null;
    at !== null && at !== own && !ancestors.includes(at);
    at = parents.get(at) ?? null
  ) {
    if (!parents.has(at)) break;
    ancestors.push(at);
  }
  return ancestors;
}

function forksOf(own: string, forks: Forks): readonly string[] {
  const found = new Set<string>();
  for (let level = forks.get(own) ?? []; level.length > 0 && found.size < forksMax; ) {
    const fresh = level.filter((id) => id !== own && !found.has(id));
    for (const id of fresh) found.add(id);
    level = fresh.flatMap((id) => forks.get(id) ?? []);
  }
  return [...found].slice(0, forksMax);
}

/** Returns null for a session that was not forked from another one. */
export function parentOf({
  agent,
  parentSessionId,
}: Readonly<Record<string, Scalar>>): string | null {
  return agent === 'subagent' || parentSessionId === '' ? null : String(parentSessionId);
}
