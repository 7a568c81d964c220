/**
 * The metrics of a ledger. While it leads they are sent to where the standard variables `OTEL_*`
 * say; nothing else waits for that, and what goes wrong there is told, not thrown.
 */

import type { MetricsPush } from '../exporters/metrics/push.ts';
import { resourceAttributes } from '../exporters/otlp/resource.ts';
import type { OtlpSettings } from '../exporters/otlp/settings.ts';
import { createCounters } from '../queries/counters/counters.ts';
import type { LeaderTask } from './leadership.ts';
import type { PartsOptions } from './parts.ts';

export interface MetricsSending {
  readonly task: LeaderTask;
  /** Why they do not arrive; null: they do, or this process does not send them. */
  failure(): string | null;
}

/** Null: they are sent nowhere. */
export function createMetricsSending(options: PartsOptions): MetricsSending | null {
  const { config, logger } = options;
  const settings = config.telemetry.signals.metrics;
  if (settings === null) return null;
  const onError = logger.reporter('while sending metrics');
  let failure: string | null = null;
  let starting: Promise<MetricsPush | null> = Promise.resolve(null);

  function onOutcome(next: string | null): void {
    if (next !== null && next !== failure) onError(new Error(`Metrics are not sent: ${next}`));
    failure = next;
  }

  async function begin(to: OtlpSettings): Promise<MetricsPush | null> {
    try {
      const { startMetricsPush } = await import('../exporters/metrics/push.ts');
      const { intervalMs, timeoutMs } = config.telemetry.metricReader;
      return await startMetricsPush({
        ...{ settings: to, intervalMs, timeoutMs, onOutcome },
        ...metricsOf(options),
      });
    } catch (error) {
      onOutcome(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  return {
    task: {
      name: 'sending metrics',
      start() {
        starting = begin(settings);
      },
      async stop() {
        await (await starting)?.stop();
        failure = null;
      },
    },
    failure: () => failure,
  };
}

function metricsOf({ config, store, version, now }: PartsOptions) {
  return {
    counters: createCounters(store.views, { users: config.metricUsers, now }),
    checkpoints: store.checkpoints,
    version,
    now,
    resourceOf: (startMs: number) => {
      const instanceId = `${store.storeId}/0/${startMs}`;
      return {
        ...resourceAttributes({
          telemetry: config.telemetry,
          service: 'agents',
          instanceId,
          version,
        }),
        // Of all services that may set it, only this one knows where its counters begin.
        'service.instance.id': instanceId,
      };
    },
  };
}
