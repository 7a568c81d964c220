import type { Standing } from '@pi-ledger/contract/answers';
import type { Terminal } from '../command.ts';
import type { Note } from '../output/answer-parts.ts';
import { countOf } from '../output/counts.ts';
import { asCalled } from '../own-line.ts';
import { type LedgerClient, RefusedError } from './ledger-client.ts';

/** The collector's own word. Null: it is older and has none, or this token may not ask. */
export async function readStanding(client: Pick<LedgerClient, 'get'>): Promise<Standing | null> {
  try {
    return await client.get('/v1/standing');
  } catch (error) {
    if (error instanceof RefusedError && [403, 404].includes(error.status)) return null;
    throw error;
  }
}

/**
 * Why figures from these views may be wrong right now, each reason once; empty if they are
 * complete. To be asked before the figures are.
 */
export async function standingNotes(
  client: Pick<LedgerClient, 'get'>,
  projections: readonly string[] = ['sessions'],
): Promise<readonly Note[]> {
  const standing = await readStanding(client);
  if (standing === null) return [];
  const views = standing.views.filter(({ projection }) => projections.includes(projection));
  if (views.length === 0) return [];
  const texts = [
    ...troubleNotes(standing),
    ...views.flatMap((view) => [...behindNotes(standing, view), ...setAsideNotes(view)]),
  ];
  return [...new Set(texts)].map((text) => ({ is: 'warning', text }));
}

/** For JSON: the field `notes`, if there are any. */
export function warningTexts(notes: readonly Note[]): { readonly notes?: readonly string[] } {
  return notes.length === 0 ? {} : { notes: notes.map(({ text }) => text) };
}

/** Beside output that has no place for them: CSV. */
export function complainAbout(
  notes: readonly Note[],
  terminal: Pick<Terminal, 'complain' | 'env'>,
): void {
  for (const { text } of notes)
    terminal.complain({ text: asCalled(terminal, `warning: ${text}`), style: 'warning' });
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
