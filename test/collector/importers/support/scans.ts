import type { Ack } from '../../../../contract/index.ts';
import { answer, append, newSession } from '../../../extension/support/fake-session.ts';

const startMs = Date.parse('2026-11-20T09:00:00.000Z');

export function story(id: string) {
  const session = newSession(id, startMs);
  append(session, `${id}-a`, startMs + 1_000, answer(`${id}-r`));
  return session;
}

export const ack = (more: Partial<Ack>): Ack => ({
  accepted: 0,
  duplicates: 0,
  expired: 0,
  rejected: [],
  ...more,
});
