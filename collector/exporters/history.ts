/** Exports what lies in a period once more, or for the first time: on demand. */
import { setTimeout as delay } from 'node:timers/promises';
import type { StoredEvent } from '../log/stored-event.ts';
import type { ExporterLosses, ExporterSurroundings } from './exporter.ts';

export interface HistoryPeriod {
  /** ms since 1970; the second is not in the period. */
  readonly sinceMs: number;
  readonly untilMs: number;
}

export interface HistoryExporter {
  /** Events of the log in order, from its first one on. */
  take(events: readonly StoredEvent[]): Promise<void>;
  /** There are no more. */
  end(): void;
  /** What has come together. Rejects when the endpoint cannot be reached; nothing is then lost. */
  send(signal: AbortSignal): Promise<void>;
  close(): void;
  /** How many spans or records were sent; `losses` are among them. */
  items(): number;
  losses(): ExporterLosses;
}

export type CreateHistory = (
  around: ExporterSurroundings,
  period: HistoryPeriod,
) => Promise<HistoryExporter>;

const pausesMs = [200, 1_000, 3_000];

/** Tries again for some seconds; an endpoint that says when to come back is waited for. */
export async function sendPatiently(
  exporter: Pick<HistoryExporter, 'send'>,
  signal: AbortSignal,
): Promise<void> {
  for (const pauseMs of pausesMs) {
    try {
      await exporter.send(signal);
      return;
    } catch {
      await delay(pauseMs, undefined, { signal });
    }
  }
  await exporter.send(signal);
}
