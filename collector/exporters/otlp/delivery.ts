/**
 * Sends items in requests of a bounded size, and counts what an endpoint does not take.
 *
 * Contract: rejects when a request fails; requests before it have arrived, and arrive again with
 * the next attempt. A loss is said once for each reason in a row.
 */
import type { ExporterLosses } from '../exporter.ts';
import type { OtlpSender, SendOutcome } from './sender.ts';

export interface Delivery<Item> {
  /** Does nothing without items. Rejects soon after `signal` is aborted. */
  deliver(items: readonly Item[], signal: AbortSignal): Promise<void>;
  losses(): ExporterLosses;
}

export interface DeliveryOptions<Item> {
  readonly sender: Pick<OtlpSender<readonly Item[]>, 'send'>;
  /** What the items are called: `spans`. */
  readonly noun: string;
  say(message: string): void;
}

/** As OpenTelemetry's own processors do (`OTEL_BSP_MAX_EXPORT_BATCH_SIZE`). */
const itemsMax = 512;

export function createDelivery<Item>({ sender, noun, say }: DeliveryOptions<Item>): Delivery<Item> {
  let losses: ExporterLosses = { rejected: 0, refused: 0, message: null };

  function count({ rejected, refused, message }: SendOutcome): void {
    if (rejected + refused === 0) return;
    if (message === null || message !== losses.message)
      say(
        `The endpoint does not take ${rejected + refused} ${noun}: ${message ?? 'no reason given'}`,
      );
    losses = {
      rejected: losses.rejected + rejected,
      refused: losses.refused + refused,
      message,
    };
  }

  return {
    async deliver(items, signal) {
      for (let from = 0; from < items.length; from += itemsMax)
        count(await sender.send(items.slice(from, from + itemsMax), signal));
    },
    losses: () => losses,
  };
}
