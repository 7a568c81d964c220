/** `pi-ledger reconcile` over all session files of a sandbox, as a person would run it. */

import type { Sandbox } from '../host/sandbox.ts';
import type { Ledger } from './ledger.ts';

interface Reconciliation {
  readonly totals: Readonly<Record<'files' | 'log' | 'views', object>>;
  readonly sessions: readonly {
    readonly differences: readonly { readonly reason: string; readonly explained: boolean }[];
  }[];
}

export interface ReconcileRun {
  readonly exitCode: number | null;
  /** Reasons of the unexplained differences, each once. */
  readonly faults: readonly string[];
  readonly totals: Reconciliation['totals'];
}

export async function runReconcile(
  ledger: Ledger,
  { host, sessions }: Sandbox,
): Promise<ReconcileRun> {
  const { exitCode, stdout, stderr } = await ledger.run(
    'reconcile',
    `--${host.family}`,
    sessions,
    '--json',
  );
  if (stdout === '') throw new Error(stderr);
  const { totals, sessions: compared } = JSON.parse(stdout) as Reconciliation;
  const faults = compared.flatMap(({ differences }) =>
    differences.filter(({ explained }) => !explained).map(({ reason }) => reason),
  );
  return { exitCode, faults: [...new Set(faults)], totals };
}
