/** What opening a ledger needs and comes to, whether of one cell or of several. */
import { type HealthRecorder, measuredStore } from '../process/own-health/measure.ts';
import type { CellStore, Store } from '../stores/store.ts';
import type { LedgerParts } from './parts.ts';
import type { PartsOptions } from './parts-options.ts';
import type { Role } from './role.ts';

export interface OpeningOptions extends Omit<PartsOptions, 'store' | 'cell'> {
  /** When it is null, the configured role is taken. */
  readonly role: Role | null;
  /** Makes one ledger of several stores; closes them where it rejects. */
  join(options: OpeningOptions, opened: readonly CellStore[]): Promise<OpenedLedger>;
}

export interface OpenedLedger {
  readonly parts: LedgerParts;
  readonly role: Role;
}

export function measured<Opened extends Store>(
  store: Opened,
  recorder: HealthRecorder | null,
): Opened {
  return recorder === null ? store : { ...store, ...measuredStore(store, recorder) };
}
