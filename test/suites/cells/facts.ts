/** What a ledger has: names to filter by, and ids to ask for. */
import type { CellsLedger } from './ledger.ts';

export interface Facts {
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly sessions: readonly string[];
  readonly compactions: readonly string[];
  readonly labels: readonly string[];
  readonly days: readonly string[];
}

const filterNames = [
  ...['project', 'branch', 'user', 'machine', 'host', 'provider', 'model', 'kind'],
] as const;
type Row = Readonly<Record<string, unknown>>;

/** Of all sessions these are asked for by id: evenly chosen. */
export async function factsIn(ledger: CellsLedger, sessionsMax: number): Promise<Facts> {
  const rows = async (url: string): Promise<readonly Row[]> =>
    JSON.parse((await ledger.ask({ url })).text).rows;
  const values = async (by: string): Promise<readonly string[]> =>
    (await rows(`/v1/usage?by=${by}&limit=1000`)).flatMap((row) =>
      typeof row[by] === 'string' ? [row[by]] : [],
    );
  const names = Object.fromEntries(
    await Promise.all(filterNames.map(async (name) => [name, await values(name)] as const)),
  );
  const sessions = (await rows('/v1/sessions?ignored=include&limit=1000')).map(({ id }) =>
    String(id),
  );
  const every = Math.max(1, Math.floor(sessions.length / sessionsMax));
  const labels = (await rows('/v1/sessions?limit=1000')).flatMap(labelsOf);
  return {
    names,
    sessions: sessions.filter((_, at) => at % every === 0),
    compactions: (await rows('/v1/compactions?ignored=include&limit=20')).map(({ id }) =>
      String(id),
    ),
    labels: [...new Set(labels)].slice(0, 4),
    days: (await values('day')).toSorted(),
  };
}

function labelsOf({ labels }: Row): readonly string[] {
  if (typeof labels !== 'object' || labels === null) return [];
  return Object.entries(labels).map(([key, value]) => `${key}=${value}`);
}
