/**
 * Finds the session that a user names by its id, a prefix of it, or `last` for the one seen last.
 */
import { LedgerError } from '../../errors.ts';
import { sessions } from '../../projections/sessions.ts';
import type { Condition, DocumentQuery, ViewDocument, ViewsReader } from '../../views/views.ts';

/** How many matching ids an error names. */
const namedMax = 5;
/** Sorts after every text with the same prefix. */
const last = '\u{10ffff}';

/**
 * `views`: as the caller may see them. Throws `not_found`, and `bad_parameter` when a prefix
 * matches several.
 */
export async function findSession(views: ViewsReader, text: string): Promise<ViewDocument> {
  if (text === 'last') return newest(views);
  const [exact] = await find(views, [{ column: 'key', is: 'in', values: [text] }], 1);
  if (exact !== undefined) return exact;
  const found = await find(views, beginningWith(text), namedMax + 1);
  const [only, ...others] = found;
  if (only === undefined) throw noSession();
  if (others.length > 0) throw ambiguous(text, found);
  return only;
}

export function noSession(): LedgerError {
  return new LedgerError('not_found', { message: 'No such session.' });
}

/** A subagent's session only if there is no other. */
async function newest(views: ViewsReader): Promise<ViewDocument> {
  const counted: Condition = { column: 'ignored', is: 'in', values: [0] };
  const byTime = { orderBy: { column: 'lastSeenAt', descending: true }, limit: 1 };
  const ownWork: Condition = { column: 'agent', is: 'in', values: ['main', ''] };
  const [found] = [
    ...(await views.find(sessions, { where: [counted, ownWork], ...byTime })),
    ...(await views.find(sessions, { where: [counted], ...byTime })),
  ];
  if (found === undefined)
    throw new LedgerError('not_found', { message: 'There are no sessions yet.' });
  return found;
}

function beginningWith(text: string): Condition[] {
  return [
    { column: 'key', is: 'from', values: [text] },
    { column: 'key', is: 'before', values: [`${text}${last}`] },
  ];
}

function find(
  views: ViewsReader,
  where: DocumentQuery['where'],
  limit: number,
): Promise<readonly ViewDocument[]> {
  return views.find(sessions, { where, orderBy: { column: 'key', descending: false }, limit });
}

function ambiguous(text: string, found: readonly ViewDocument[]): LedgerError {
  const names = found.slice(0, namedMax).map(({ key }) => key);
  const more = found.length > namedMax ? ' and more' : '';
  return new LedgerError('bad_parameter', {
    field: 'session',
    message:
      `session: "${text}" matches several sessions: ${names.join(', ')}${more}. ` +
      'Give more characters of the id.',
  });
}
