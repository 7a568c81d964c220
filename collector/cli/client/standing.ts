import type { Standing } from '@pi-ledger/contract/answers';
import { countOf } from '../output/usage-table.ts';
import { type LedgerClient, RefusedError } from './ledger-client.ts';

/**
 * Why figures from a view may be wrong now, one sentence each; none: they have everything. To be
 * asked before the figures are.
 */
export async function standingNotes(
  client: LedgerClient,
  projection = 'sessions',
): Promise<readonly string[]> {
  const standing = await readStanding(client);
  const view = standing?.views.find((each) => each.projection === projection);
  if (standing === null || view === undefined) return [];
  return [...troubleNotes(standing), ...behindNotes(standing, view), ...setAsideNotes(view)];
}

function troubleNotes({ trouble }: Standing): string[] {
  return trouble === null ? [] : [`BEHIND: nothing is taken in any more. ${trouble}`];
}

function behindNotes(
  { problem }: Standing,
  { isBehind, behindSince }: Standing['views'][number],
): string[] {
  if (!isBehind) return [];
  const since = behindSince === null ? '' : ` since ${behindSince}`;
  const why = problem === null ? 'it is being folded' : `the views do not advance: ${problem}`;
  return [`BEHIND: what came in${since} is not in these figures (${why}).`];
}

function setAsideNotes({ setAside }: Standing['views'][number]): string[] {
  if (setAside === 0) return [];
  return [
    `LOW: ${countOf(setAside, 'event')} could not be folded, and what they spent is in no figure; \`pi-ledger doctor\` names them.`,
  ];
}

/** Null: a collector of an older version, which does not say. */
async function readStanding(client: LedgerClient): Promise<Standing | null> {
  try {
    return await client.get('/v1/standing');
  } catch (error) {
    if (error instanceof RefusedError && error.status === 404) return null;
    throw error;
  }
}
