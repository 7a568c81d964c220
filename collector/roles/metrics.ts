/**
 * The metrics of a ledger: `GET /metrics` shows them, and while it leads they are sent to where the
 * standard variables `OTEL_*` say. Nothing else waits for that, and what goes wrong there is told,
 * not thrown.
 */

import { errorText } from '@pi-ledger/core/text/error-text';
import { withBudgets } from '../answers/metrics/budgets.ts';
import { createCounters } from '../answers/metrics/counters.ts';
import type { ReadMetrics } from '../answers/metrics/route.ts';
import { withPreviousNames } from '../exporters/metrics/previous.ts';
import type { MetricsPush } from '../exporters/metrics/push.ts';
import { createScrapeReader } from '../exporters/metrics/readers.ts';
import { contentTypes, expositionPieces, type ShownMetrics } from '../exporters/metrics/text.ts';
import { resourceAttributes } from '../exporters/otlp/resource.ts';
import type { OtlpSettings } from '../exporters/otlp/settings.ts';
import { budgetsNotMeasured, metricsNotSent } from '../process/logger.ts';
import { createSessions } from '../projections/sessions.ts';
import { createVerified } from '../projections/verified.ts';
import { shareRuns } from '../timers/shared-run.ts';
import type { LeaderTask } from './leadership.ts';
import type { PartsOptions } from './parts-options.ts';
import type { PutBack } from './put-back.ts';

export interface MetricsOptions extends PartsOptions {
  readonly putBack: PutBack;
}

export interface MetricsSending {
  readonly task: LeaderTask;
  /** Why they do not arrive; null: they do, or this process does not send them. */
  failure(): string | null;
}

/** Returns null when they are sent nowhere. */
export function createMetricsSending(options: MetricsOptions): MetricsSending | null {
  const { config, logger } = options;
  const settings = config.telemetry.signals.metrics;
  if (settings === null) return null;
  let failure: string | null = null;
  let starting: Promise<MetricsPush | null> = Promise.resolve(null);

  function onOutcome(next: string | null): void {
    if (next !== null && next !== failure) logger.note(metricsNotSent(next));
    failure = next;
  }

  async function begin(to: OtlpSettings): Promise<MetricsPush | null> {
    try {
      await options.putBack.look();
      const { startMetricsPush } = await import('../exporters/metrics/push.ts');
      const { intervalMs, timeoutMs } = config.telemetry.metricReader;
      return await startMetricsPush({
        ...{ settings: to, intervalMs, timeoutMs, onOutcome },
        ...createMetrics(options),
      });
    } catch (error) {
      onOutcome(errorText(error));
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

/**
 * Those who ask are shown what was shown to them before, by this process or another one. Of several
 * cells a process shows those that it leads: each worker is asked, and none twice.
 *
 * It takes seconds for many series on a busy machine, longer than some wait until they ask again.
 */
export function createMetricsReading(cells: readonly MetricsOptions[]): ReadMetrics {
  const read = createFormatReading(cells);
  const shared = {
    text: shareRuns(() => read('text')),
    openmetrics: shareRuns(() => read('openmetrics')),
  };
  return (format) => shared[format]();
}

function createFormatReading(cells: readonly MetricsOptions[]): ReadMetrics {
  const isShown = ({ store }: MetricsOptions) => cells.length === 1 || store.right.isHeld();
  const readers = cells.map((cell) => [cell, createShowing(cell)] as const);
  return async (format) => {
    const shown = await Promise.all(
      readers.filter(([cell]) => isShown(cell)).map(([, read]) => read()),
    );
    const known = shown.filter((each) => each !== null);
    if (known.length === 0) return null;
    return { type: contentTypes[format], pieces: await expositionPieces(known, format) };
  };
}

function createShowing(options: MetricsOptions): () => Promise<ShownMetrics | null> {
  const { right } = options.store;
  const { resourceOf, ...reading } = createMetrics(options);
  const reader = createScrapeReader(reading);
  return async () => {
    await options.putBack.look();
    const exposition = await (right.isHeld() ? reader.next() : reader.asShown());
    if (exposition === null) return null;
    return { exposition, resource: resourceOf(exposition.startMs) };
  };
}

function createMetrics({ config, store, cell, putBack, version, now, logger }: MetricsOptions) {
  const { right } = store;
  const counters = withBudgets(
    putBack.noting(createCounters(store.views, { users: config.metricUsers, senders: true, now })),
    {
      ...{ views: cell.views, limits: config.quota, now },
      ...{ sessions: createSessions(config.rules), verified: createVerified(config.rules) },
      configured: () => (right.isHeld() && cell.number === 0 ? config.budgets : null),
    },
    (error) => logger.note(budgetsNotMeasured(String(error))),
  );
  return {
    counters: config.telemetry.previousNames ? withPreviousNames(counters) : counters,
    checkpoints: store.checkpoints,
    version,
    now,
    resourceOf: (startMs: number) => {
      const instanceId = `${cell.ledgerId}/${cell.number}/${startMs}`;
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
