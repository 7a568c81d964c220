/** The row of the audit that a user names: by its id, by the beginning of it, or by the entry in the session file. */
import { LedgerError } from '../errors.ts';
import { type AuditPlace, compactions } from '../projections/compactions.ts';
import { sessions } from '../projections/sessions.ts';
import type { Condition } from '../views/views.ts';
import type { FoundRow, Searched } from './compaction-search.ts';
import type { Reading } from './reading.ts';
import { wholeSessions } from './whole-sessions.ts';

const placesMax = 20;
/** Behind every id that begins like this. */
const last = '\u{10ffff}';

/** Throws `not_found`, also for what the caller may not see, and `bad_parameter` where several fit. */
export async function findCompaction({ views, contexts }: Searched, reading: Reading, text: string): Promise<FoundRow> {
  const beginning: Condition[] = [
    { column: 'key', is: 'from', values: [text] },
    { column: 'key', is: 'before', values: [`${text}${last}`] },
  ];
  const find = async (where: readonly Condition[]): Promise<readonly AuditPlace[]> => {
    const documents = await views.find(compactions, { where, orderBy: { column: 'key', descending: false }, limit: placesMax });
    return documents.map(({ body }) => compactions.decode(body));
  };
  const entries = await find([{ column: 'entryId', is: 'in', values: [text] }]);
  const rows: FoundRow[] = [];
  for (const place of entries.length > 0 ? entries : await find(beginning)) rows.push(...(await rowAt(place)));
  const [only, ...others] = rows;
  if (only === undefined) throw new LedgerError('not_found', { message: 'There is no such compaction.' });
  if (others.length > 0) throw ambiguous(text, rows);
  return only;

  async function rowAt({ id, session }: AuditPlace): Promise<readonly FoundRow[]> {
    const where = [{ column: 'key', is: 'in' as const, values: [session] }];
    const documents = await reading.views.find(sessions, { where, orderBy: { column: 'key', descending: false }, limit: 1 });
    const [whole] = await wholeSessions(reading, documents);
    if (whole === undefined) return [];
    const row = (await contexts.audits([whole])).get(session)?.find((each) => each.id === id);
    return row === undefined ? [] : [{ row, state: whole.state }];
  }
}

const namedMax = 5;

function ambiguous(text: string, rows: readonly FoundRow[]): LedgerError {
  const names = rows.slice(0, namedMax).map(({ row }) => row.id);
  const more = rows.length > namedMax ? ' and more' : '';
  const message = `id: "${text}" fits several rows: ${names.join(', ')}${more}. Give more of the id.`;
  return new LedgerError('bad_parameter', { field: 'id', message });
}
