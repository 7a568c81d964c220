/** What is asked for by name: taken from the ledger, so that each name is one that it has. */
import { groupings } from '@pi-ledger/contract/groupings';
import type { Samples } from './commands.ts';

export type Ask = (address: string) => Promise<Rows>;

interface Rows {
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
}

/** At most this many sessions, and as many compactions, are asked for one by one. */
const detailsMax = 6;

export async function findSamples(ask: Ask, daySince: string, dayUntil: string): Promise<Samples> {
  const sessions = spread(await ids(ask, '/v1/sessions?limit=1000'), detailsMax);
  const compactions = spread(await ids(ask, '/v1/compactions?limit=1000'), detailsMax);
  const [crossing] = (await ask('/v1/budgets/crossings?limit=1')).rows ?? [];
  const names = Object.fromEntries(
    await Promise.all(
      named.map(async (grouping) => [grouping, await firstNames(ask, grouping)] as const),
    ),
  );
  const label = names['label:ticket']?.[0] ?? 'none';
  return {
    ...names,
    ...Object.fromEntries(named.map((each) => [hyphenated(each), names[each] ?? []])),
    label: [`ticket=${label}`, 'ticket='],
    // Groupings: each, and some together.
    '/v1/usage by': [...groupings, ...together],
    '/v1/reprice by': [...groupings, ...together],
    by: [...groupings, ...together],
    since: [daySince, `${dayUntil}T09:00:00Z`],
    until: [dayUntil],
    from: [`${daySince}T00:00:00Z`],
    to: [`${dayUntil}T00:00:00Z`],
    day: [dayUntil],
    timezone: ['Asia/Tokyo'],
    limit: ['3'],
    points: ['10'],
    after: ['5'],
    at: ['none'],
    trigger: ['threshold', 'manual'],
    kind: ['turn', 'compaction'],
    metric: ['pi.cost.usd'],
    tree: sessions.slice(0, 2),
    session: sessions.slice(0, 2),
    budget: [String(crossing?.budget ?? 'none')],
    ask: ['/v1/usage?by=model'],
    id: sessions.slice(0, 2),
    'sessions id': sessions,
    'context session': sessions,
    'compactions id': compactions,
  };
}

const named = groupings
  .filter((grouping) => !['hour', 'day', 'week', 'month'].includes(grouping))
  .map(String)
  .concat('label:ticket');
const together = ['project,model', 'user,day', 'day,model,kind', 'label:ticket', 'agent-kind,user'];

async function firstNames(ask: Ask, grouping: string): Promise<string[]> {
  const { rows = [] } = await ask(`/v1/usage?limit=50&by=${encodeURIComponent(grouping)}`);
  const found = rows.map((row) => row[grouping]).filter((name) => typeof name === 'string');
  return found.slice(0, 1).concat(found.length === 0 ? ['none'] : []);
}

async function ids(ask: Ask, address: string): Promise<string[]> {
  return ((await ask(address)).rows ?? []).map(({ id }) => String(id));
}

/** So many of them, the first and the last among them. */
function spread(all: readonly string[], most: number): string[] {
  const step = Math.max(1, (all.length - 1) / (most - 1));
  const at = Array.from({ length: Math.min(most, all.length) }, (_, index) =>
    Math.round(index * step),
  );
  return at.map((index) => all[index] ?? 'none');
}

function hyphenated(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
