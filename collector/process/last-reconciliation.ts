/** `reconciliation.json` in PI_LEDGER_HOME: what the newest `pi-ledger reconcile` came to. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Reconciled } from '@pi-ledger/contract/answers';
import { readRegularFile } from '@pi-ledger/core/machine/regular-file';
import { Value } from 'typebox/value';
import { homeFiles } from '../config/home-files.ts';

export interface LastReconciliation {
  /** Returns null when there was none, or the file is damaged. */
  read(): Reconciled | null;
  /** Throws when the file cannot be written. */
  keep(outcome: Reconciled): void;
}

const fileBytesMax = 256 * 1024;

export function createLastReconciliation(home: string): LastReconciliation {
  const path = join(home, homeFiles.reconciliation);
  return {
    read() {
      try {
        const kept: unknown = JSON.parse(readRegularFile(path, { bytesMax: fileBytesMax }));
        return Value.Check(Reconciled, kept) ? kept : null;
      } catch {
        return null;
      }
    },
    keep(outcome) {
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, `${JSON.stringify(outcome)}\n`, { mode: 0o600 });
      renameSync(draft, path);
    },
  };
}
