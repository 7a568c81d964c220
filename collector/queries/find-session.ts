/**
 * The session that a user names: by its id, by the beginning of it, or `last`, the one that was
 * seen last.
 */
import { LedgerError } from '../errors.ts';
import { sessions } from '../projections/sessions.ts';
import type { Condition, DocumentQuery, ViewDocument, Views } from '../views/views.ts';

/** Told of those that a beginning fits. */
const namedMax = 5;
/** Behind every text that begins like this. */
const last = '\u{10ffff}';

/**
 * `views`: as the caller may see them. Throws `not_found`, and `bad_parameter` where a beginning
 * fits several.
 */
export async function findSession(views: Views, text: string): Promise<ViewDocument> {
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
  return new LedgerError('not_found', { message: 'There is no such session.' });
}

/** A subagent's only where there is no other. */
async function newest(views: Views): Promise<ViewDocument> {
  const counted: Condition = { column: 'ignored', is: 'in', values: [0] };
  const byTime = { orderBy: { column: 'lastSeenAt', descending: true }, limit: 1 };
  const ownWork: Condition = { column: 'agent', is: 'in', values: ['main', ''] };
  const [found] = [
    ...(await views.find(sessions, { where: [counted, ownWork], ...byTime })),
    ...(await views.find(sessions, { where: [counted], ...byTime })),
  ];
  if (found === undefined)
    throw new LedgerError('not_found', { message: 'There is no session yet.' });
  return found;
}

function beginningWith(text: string): Condition[] {
  return [
    { column: 'key', is: 'from', values: [text] },
    { column: 'key', is: 'before', values: [`${text}${last}`] },
  ];
}

function find(
  views: Views,
  where: DocumentQuery['where'],
  limit: number,
): Promise<readonly ViewDocument[]> {
  return views.find(sessions, { where, orderBy: { column: 'key', descending: false }, limit });
}

function ambiguous(text: string, found: readonly ViewDocument[]): LedgerError {
  const names = found.slice(0, namedMax).map(({ key }) => key);
  const more = found.length > namedMax ? ' and more' : '';
  const message = `session: "${text}" fits several sessions: ${names.join(', ')}${more}. Give more of the id.`;
  return new LedgerError('bad_parameter', { field: 'session', message });
}
