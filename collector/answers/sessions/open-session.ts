/** The session that someone names, as far as they may see it in full. */

import type { VisibleViews } from '../views/visible-views.ts';
import { findSession, noSession } from './find-session.ts';
import { type WholeSession, wholeSessions } from './whole-sessions.ts';

/** Throws `not_found`, and `bad_parameter` when several sessions match. */
export async function openSession(visible: VisibleViews, text: string): Promise<WholeSession> {
  const [session] = await wholeSessions(visible, [await findSession(visible.views, text)]);
  if (session === undefined) throw noSession();
  return session;
}
