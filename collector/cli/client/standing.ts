import type { Standing } from '@pi-ledger/contract/answers';
import type { Terminal } from '../command.ts';
import type { Note } from '../output/answer.ts';
import { countOf } from '../output/usage-table.ts';
import { type LedgerClient, RefusedError } from './ledger-client.ts';

/**
 * Why figures from a view may be wrong right now, one warning each; empty if they are complete. To
 * be asked before the figures are.
 */
export async function standingNotes(
  client: LedgerClient,
  projection = 'sessions',
): Promise<readonly Note[]> {
  const standing = await readStanding(client);
  const view = standing?.views.find((each) => each.projection === projection);
  if (standing === null || view === undefined) return [];
  const texts = [...troubleNotes(standing), ...behindNotes(standing, view), ...setAsideNotes(view)];
  return texts.map((text) => ({ is: 'warning', text }));
}

/** For JSON: the field `notes`, if there are any. */
export function warningTexts(notes: readonly Note[]): { readonly notes?: readonly string[] } {
  return notes.length === 0 ? {} : { notes: notes.map(({ text }) => text) };
}

/** Beside output that has no place for them: CSV. */
export function complainOf(notes: readonly Note[], terminal: Pick<Terminal, 'complain'>): void {
  for (const { text } of notes) terminal.complain({ text: `warning: ${text}`, style: 'warning' });
}

function troubleNotes({ trouble }: Standing): string[] {
  return trouble === null ? [] : [`BEHIND: no new events are accepted. ${trouble}`];
}

function behindNotes(
  { problem }: Standing,
  { isBehind, behindSince }: Standing['views'][number],
): string[] {
  if (!isBehind) return [];
  const since = behindSince === null ? '' : ` since ${behindSince}`;
  const why = problem === null ? 'still being processed' : `the views are stuck: ${problem}`;
  return [`BEHIND: events received${since} are missing from these figures (${why}).`];
}

function setAsideNotes({ setAside }: Standing['views'][number]): string[] {
  if (setAside === 0) return [];
  return [
    `LOW: ${countOf(setAside, 'event')} could not be processed, and their spend is missing from ` +
      'these figures: `pi-ledger doctor` lists them.',
  ];
}

/** Null: an older collector, which has no such route. */
async function readStanding(client: LedgerClient): Promise<Standing | null> {
  try {
    return await client.get('/v1/standing');
  } catch (error) {
    if (error instanceof RefusedError && error.status === 404) return null;
    throw error;
  }
}
