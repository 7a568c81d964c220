/** The route that attacks on each role are after. */
import type { AttackedRole, CallerName } from './collector.ts';

interface Guarded {
  readonly path: string;
  /** A field that only its answer has. */
  readonly field: string;
  /** A valid token that it does not open to. */
  readonly outsider: CallerName;
}

/** A gateway has none for administrators that answers anything: its health is what it knows. */
export const guardedBy: Readonly<Record<AttackedRole, Guarded>> = {
  all: { path: '/v1/tokens', field: 'rows', outsider: 'read' },
  gateway: { path: '/v1/health', field: 'problems', outsider: 'ingest' },
};
