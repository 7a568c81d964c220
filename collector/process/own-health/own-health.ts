/**
 * The collector's own health as metrics: what it does is measured, what it stands at is read.
 *
 * Guarantees: without an endpoint for metrics nothing is measured and no library is loaded. A dead
 * endpoint delays nothing but the end of the process, by two seconds at most.
 */
import { errorText } from '@pi-ledger/core/text/error-text';
import type { OtlpSettings, Telemetry } from '../../exporters/otlp/settings.ts';
import type { HealthRecorder } from './measure.ts';
import type { ReadReadings } from './readings.ts';

export interface OwnHealth {
  readonly recorder: HealthRecorder;
  /** From now on with each export; the first one is sent at once. */
  watch(read: ReadReadings): void;
  /** Before what is read is closed. Never rejects. */
  stop(): Promise<void>;
}

export interface OwnHealthOptions {
  readonly telemetry: Telemetry;
  readonly version: string;
  /** Metrics do not arrive: why, in one line. Must not throw. */
  onFailure(message: string): void;
}

/** Resolves to null when metrics are not exported, or cannot be, which is told. Never rejects. */
export async function startOwnHealth(options: OwnHealthOptions): Promise<OwnHealth | null> {
  const settings = options.telemetry.signals.metrics;
  if (settings === null) return null;
  try {
    return await start(options, settings);
  } catch (error) {
    options.onFailure(errorText(error));
    return null;
  }
}

async function start(options: OwnHealthOptions, settings: OtlpSettings): Promise<OwnHealth> {
  const { startSdk } = await import('./sdk.ts');
  const { createRecorder, observeReadings } = await import('./instruments.ts');
  const sdk = await startSdk({ ...options, settings });
  return {
    recorder: createRecorder(sdk.meter),
    watch(read) {
      observeReadings(sdk.meter, read);
      void sdk.flush();
    },
    stop: sdk.stop,
  };
}
