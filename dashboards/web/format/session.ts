/** A session in the columns of tables. */
import type { Answers } from '@pi-ledger/contract/answers';

type Session = Answers['GET /v1/sessions']['rows'][number];

/** From its first event to its newest, in ms; a clock that was set back makes no less than none. */
export function lastedMs({ startedAt, lastSeenAt }: Pick<Session, 'startedAt' | 'lastSeenAt'>) {
  return Math.max(0, Date.parse(lastSeenAt) - Date.parse(startedAt));
}

/** Sessions that began within seconds of each other share the first 8 characters. */
const idChars = 13;

/** The beginning of an id, which finds the session as well. */
export function shortId(id: string): string {
  return id.slice(0, idChars);
}
