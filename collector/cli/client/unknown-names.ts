/** Names that are filtered by and that the ledger has never seen. */
import type { Grouping } from '@pi-ledger/contract/groupings';
import { type FilterOptions, filterNames, flagOf, usageFilterNames } from '../filters.ts';
import type { Note } from '../output/answer-parts.ts';
import type { LedgerClient } from './ledger-client.ts';

type Client = Pick<LedgerClient, 'getAll'>;

/** Values of one dimension, or of one label. */
interface Asked {
  readonly flag: string;
  readonly by: Grouping;
  /** What the API calls the filter. */
  readonly parameter: string;
  readonly values: readonly string[];
  /** As it was typed. */
  textOf(value: string): string;
  /** `Models`. */
  readonly title: string;
}

/** `--model: no-such-model was never seen. Models: ...`, for each such name. */
export async function unknownNames(
  client: Client,
  options: FilterOptions,
): Promise<readonly string[]> {
  const complaints: string[] = [];
  for (const asked of askedIn(options)) {
    const query = new URLSearchParams({ by: asked.by });
    const { rows, hiddenNames = 0 } = await client.getAll('/v1/usage', query);
    const known = namesIn(rows, asked.by);
    const unlisted = asked.values.filter((value) => !known.includes(value));
    const unknown = hiddenNames === 0 ? unlisted : await unseen(client, asked, unlisted);
    if (unknown.length > 0 && known.length > 0)
      complaints.push(neverSeen(asked.flag, unknown.map(asked.textOf), { ...asked, known }));
  }
  return complaints;
}

/** Those without spend: a list of very many names has no row for each. */
async function unseen(
  client: Client,
  { parameter, textOf }: Asked,
  values: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const value of values) {
    const query = new URLSearchParams({ by: 'kind', [parameter]: textOf(value) });
    if ((await client.getAll('/v1/usage', query)).rows.length === 0) found.push(value);
  }
  return found;
}

/**
 * For output that is printed all the same: of several names one may be known, and programs get an
 * empty answer.
 */
export async function unknownNotes(
  client: Client,
  options: FilterOptions,
): Promise<readonly Note[]> {
  const texts = await unknownNames(client, options);
  return texts.map((text) => ({ is: 'warning', text }));
}

function askedIn(options: FilterOptions): readonly Asked[] {
  const named = [...filterNames, ...usageFilterNames].flatMap((name): Asked[] => {
    const values = options[name]?.filter((value) => value !== '') ?? [];
    if (name === 'label' || values.length === 0) return [];
    const title = titles[name];
    return [
      { flag: flagOf(name), by: name, parameter: name, values, textOf: (value) => value, title },
    ];
  });
  return [...named, ...labelsIn(options.label ?? [])];
}

/** Those of labels have no field in the type of a row. */
function namesIn(rows: readonly object[], by: Grouping): readonly string[] {
  const names = rows.map((row) => (row as { readonly [name in Grouping]?: unknown })[by]);
  return names.filter((name) => typeof name === 'string').toSorted();
}

/** `KEY=` asks for what is without it. */
function labelsIn(words: readonly string[]): readonly Asked[] {
  const pairs = words.map((word) => /^([^=]+)=(.+)$/s.exec(word)).filter((pair) => pair !== null);
  return [...Map.groupBy(pairs, ([, key = '']) => key)].map(([key, some]) => ({
    flag: 'label',
    by: `label:${key}` as const,
    parameter: 'label',
    values: some.map(([, , value = '']) => value),
    textOf: (value) => `${key}=${value}`,
    title: `Values of ${key}`,
  }));
}

const namesMax = 12;

export function neverSeen(
  flag: string,
  unknown: readonly string[],
  { title, known }: { readonly title: string; readonly known: readonly string[] },
): string {
  const more = known.length - namesMax;
  const names = `${known.slice(0, namesMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const were = unknown.length === 1 ? 'was' : 'were';
  return `--${flag}: ${unknown.join(', ')} ${were} never seen. ${title}: ${names}`;
}

const titles = {
  project: 'Projects',
  user: 'Users',
  model: 'Models',
  host: 'Hosts',
  branch: 'Branches',
  provider: 'Providers',
  machine: 'Machines',
  kind: 'Kinds',
  agentKind: 'Kinds of agents',
  agent: 'Agents',
  thinking: 'Thinking levels',
  costSource: 'Sources of costs',
  stopReason: 'Stop reasons',
} as const;
