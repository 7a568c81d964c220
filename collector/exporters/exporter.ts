/** What exporters of all signals have in common. Roles make subscribers of them. */

import type { Resource } from '@opentelemetry/resources';
import type { ReadSessionFacts } from '@pi-ledger/contract/telemetry/session-facts';
import type { StoredEvent } from '../log/stored-event.ts';
import type { OtlpSettings } from './otlp/settings.ts';

export interface ExporterSurroundings {
  readonly settings: OtlpSettings;
  readonly resource: Resource;
  /** What is exported has a scope with this program's version. */
  readonly version: string;
  /** `OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_previous`: in place of the newest names. */
  readonly previousNames: boolean;
  readonly readFacts: ReadSessionFacts;
  /** One line for the log: what is lost, and why. Must not throw. */
  say(message: string): void;
}

/** What an exporter could not deliver and does not send again, since the process started. */
export interface ExporterLosses {
  /** The endpoint took the request, and dropped these of it. */
  readonly rejected: number;
  /** The endpoint does not take these. */
  readonly refused: number;
  /** What it said last; null: nothing. */
  readonly message: string | null;
}

export interface Exporter {
  /**
   * Contract: that of `Subscriber.handle` (subscription/subscriber.ts). Rejects when the endpoint
   * cannot be reached now: nothing of the batch is then lost.
   */
  handle(
    batch: { readonly events: readonly StoredEvent[] },
    signal: AbortSignal,
    state: string | null,
  ): Promise<string | undefined>;
  /** As `Subscriber.recall`. */
  recall?(
    batch: { readonly events: readonly StoredEvent[] },
    state: string | null,
  ): Promise<string | null>;
  losses(): ExporterLosses;
}
