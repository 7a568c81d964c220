/**
 * Finds the row of the audit that a user names by its id, a prefix of it, or the entry in the
 * session file.
 */
import { LedgerError } from '../../errors.ts';
import { type AuditLocation, compactions } from '../../projections/compactions.ts';
import type { SessionState } from '../../projections/session/document.ts';
import { sessions } from '../../projections/sessions.ts';
import type { Condition, DocumentQuery, ViewsReader } from '../../views/views.ts';
import type { AuditRow } from '../context/audit.ts';
import { type WholeSession, wholeSessions } from '../sessions/whole-sessions.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import type { Searched } from './read-rows.ts';

interface FoundRow {
  readonly row: AuditRow;
  readonly state: SessionState;
}

/** The most locations examined per query, including those that a limited caller may not see. */
const locationsMax = 20_000;
const locationsPerQueryMax = 100;
/** Sorts after every id with the same prefix. */
const last = '\u{10ffff}';

/**
 * Throws `not_found`, also for what the caller may not see, and `bad_parameter` when several match.
 */
export async function findCompaction(
  { views, contexts }: Searched,
  visible: VisibleViews,
  text: string,
): Promise<FoundRow> {
  const beginning: Condition[] = [
    { column: 'key', is: 'from', values: [text] },
    { column: 'key', is: 'before', values: [`${text}${last}`] },
  ];
  const entries = await rowsAt([{ column: 'entryId', is: 'in', values: [text] }]);
  const rows = entries.length > 0 ? entries : await rowsAt(beginning);
  const [only, ...others] = rows;
  if (only === undefined) throw new LedgerError('not_found', { message: 'No such compaction.' });
  if (others.length > 0) throw ambiguous(text, rows);
  return only;

  /** The rows that the caller may see, and only as many as the error names. */
  async function rowsAt(where: readonly Condition[]): Promise<readonly FoundRow[]> {
    const rows: FoundRow[] = [];
    for await (const locations of pagesOf(views, where)) {
      const whole = await wholeAmong(locations);
      for (const { id, session } of locations) {
        rows.push(...(await rowOf(id, whole.get(session))));
        if (rows.length > namedMax) return rows;
      }
    }
    return rows;
  }

  async function wholeAmong(
    locations: readonly AuditLocation[],
  ): Promise<ReadonlyMap<string, WholeSession>> {
    const values = [...new Set(locations.map(({ session }) => session))];
    const where = [{ column: 'key', is: 'in' as const, values }];
    const documents = await visible.views.find(sessions, {
      where,
      orderBy: { column: 'key', descending: false },
      limit: values.length,
    });
    return new Map(
      (await wholeSessions(visible, documents)).map((session) => [session.lineage[0], session]),
    );
  }

  async function rowOf(
    id: string,
    session: WholeSession | undefined,
  ): Promise<readonly FoundRow[]> {
    if (session === undefined) return [];
    const row = (await contexts.audits([session]))
      .get(session.lineage[0])
      ?.find((each) => each.id === id);
    return row === undefined ? [] : [{ row, state: session.state }];
  }
}

async function* pagesOf(
  views: ViewsReader,
  where: readonly Condition[],
): AsyncGenerator<readonly AuditLocation[]> {
  const orderBy = { column: 'key', descending: false };
  let after: DocumentQuery['after'];
  for (let seen = 0; seen < locationsMax; seen += locationsPerQueryMax) {
    const page = await views.find(compactions, {
      where,
      orderBy,
      limit: locationsPerQueryMax,
      ...(after === undefined ? {} : { after }),
    });
    yield page.map(({ body }) => compactions.decode(body));
    const end = page.at(-1);
    if (end === undefined || page.length < locationsPerQueryMax) return;
    after = { value: end.key, key: end.key };
  }
}

const namedMax = 5;

function ambiguous(text: string, rows: readonly FoundRow[]): LedgerError {
  const names = rows.slice(0, namedMax).map(({ row }) => row.id);
  const more = rows.length > namedMax ? ' and more' : '';
  return new LedgerError('bad_parameter', {
    field: 'id',
    message:
      `id: "${text}" matches several rows: ${names.join(', ')}${more}. ` +
      'Give more characters of the id.',
  });
}
