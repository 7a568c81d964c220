/** Exports the log records of a period, from a log that is read from its beginning. */
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { ExporterSurroundings } from '../exporter.ts';
import type { HistoryExporter, HistoryPeriod } from '../history.ts';
import { createDelivery } from '../otlp/delivery.ts';
import { createOtlpSender } from '../otlp/sender.ts';
import { createLogRecords } from './exporter.ts';
import { readMemory } from './memory.ts';

export async function createLogsHistory(
  around: ExporterSurroundings,
  { sinceMs, untilMs }: HistoryPeriod,
): Promise<HistoryExporter> {
  const sender = await createOtlpSender('logs', around.settings);
  const { deliver, losses } = createDelivery({ sender, noun: 'log records', say: around.say });
  const recordsOf = createLogRecords(around);
  const memory = readMemory(null, 0);
  let waiting: ReadableLogRecord[] = [];
  let items = 0;

  function isWithin({ hrTime: [seconds, nanos] }: ReadableLogRecord): boolean {
    const ms = seconds * 1_000 + nanos / 1e6;
    return ms >= sinceMs && ms < untilMs;
  }

  return {
    async take(events) {
      const records = await recordsOf(events, memory);
      waiting.push(...records.filter(isWithin));
    },
    end: () => undefined,
    async send(signal) {
      await deliver(waiting, signal);
      items += waiting.length;
      waiting = [];
    },
    close: () => sender.close(),
    items: () => items,
    losses,
  };
}
