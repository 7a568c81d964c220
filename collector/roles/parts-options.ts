import type { CollectorConfig } from '../config/config.ts';
import type { OwnershipSettling } from '../ingest/ownership.ts';
import type { Log } from '../log/log.ts';
import type { Logger } from '../process/logger.ts';
import type { HealthRecorder } from '../process/own-health/measure.ts';
import type { Store } from '../stores/store.ts';
import type { ViewsReader } from '../views/views.ts';

/** Which cell of its ledger a store is. */
interface CellPlace {
  /** From 0; a ledger of one cell has the first alone. */
  readonly number: number;
  /** Parts that speak for several cells say here how many these are. */
  readonly count?: number;
  /** The id of the first cell's store. */
  readonly ledgerId: string;
  /** It reads the views of all cells. */
  readonly views: ViewsReader;
  /** Below it, every cell refuses events; absent: there is only this one. */
  readonly lowestFloorMs?: () => Promise<number>;
  /** What becomes of disputed owners; absent: this store's log settles them. */
  readonly ownership?: OwnershipSettling;
  /** Where ingest appends; absent: to this store's log, whatever the session. */
  readonly append?: Log['append'];
}

export interface PartsOptions {
  readonly config: CollectorConfig;
  readonly store: Store;
  readonly cell: CellPlace;
  /** Nothing is measured when it is null. */
  readonly recorder: HealthRecorder | null;
  readonly logger: Logger;
  readonly version: string;
  /** Where the built page is. */
  readonly pageDirectory: string;
  readonly now: () => number;
  readonly random: () => number;
}
