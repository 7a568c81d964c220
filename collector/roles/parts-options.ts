import type { CollectorConfig } from '../config/config.ts';
import type { Logger } from '../process/logger.ts';
import type { Recorder } from '../process/own-health/measure.ts';
import type { Store } from '../stores/store.ts';

export interface PartsOptions {
  readonly config: CollectorConfig;
  readonly store: Store;
  /** Null: nothing is measured. */
  readonly recorder: Recorder | null;
  readonly logger: Logger;
  readonly version: string;
  /** Where the built page is. */
  readonly pageDirectory: string;
  readonly now: () => number;
  readonly random: () => number;
}
