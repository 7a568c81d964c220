/** Runs reconcile on session files and a ledger in memory; one line per difference. */
import {
  type ReconcileOptions,
  type Reconciliation,
  reconcile,
} from '../../../../collector/reconcile/reconcile.ts';
import { searchesIn } from './read-facts.ts';
import { at, type Ledger } from './two-sides.ts';

const nowMs = Date.parse(at(0)) + 3_600_000;

export function compared(
  root: string,
  { ask }: Ledger,
  more: Partial<ReconcileOptions> = {},
): Promise<Reconciliation> {
  return reconcile({ searches: searchesIn(root), ask, nowMs, hasChanged: () => false, ...more });
}

interface Told {
  readonly isExplained: boolean;
  /** `session reason xcount`, without a session for overall differences. */
  readonly told: readonly string[];
}

export async function told(
  root: string,
  ledger: Ledger,
  more: Partial<ReconcileOptions> = {},
): Promise<Told> {
  const { isExplained, sessions, overall } = await compared(root, ledger, more);
  const bySession = sessions.flatMap(({ sessionId, differences }) =>
    differences.map(({ reason, count }) => `${sessionId} ${reason} x${count}`),
  );
  return {
    isExplained,
    told: [...bySession, ...overall.map(({ reason, count }) => `${reason} x${count}`)],
  };
}

export const explained = (...lines: readonly string[]): Told => ({
  isExplained: true,
  told: lines,
});
export const fault = (...lines: readonly string[]): Told => ({ isExplained: false, told: lines });
