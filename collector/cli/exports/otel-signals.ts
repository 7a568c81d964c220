/** What `export-otel` sends: one line for each signal. */
import type { ReadSessionFacts } from '@pi-ledger/contract/telemetry/session-facts';
import type { CollectorConfig } from '../../config/config.ts';
import type { CreateHistory, HistoryExporter, HistoryPeriod } from '../../exporters/history.ts';
import { version } from '../version.ts';

export interface HistorySignal {
  readonly noun: string;
  /** It is the name of the count in JSON. */
  readonly field: string;
  readonly exporter: HistoryExporter;
}

interface Definition {
  readonly signal: 'traces' | 'logs';
  /** It names what the signal sends. */
  readonly noun: string;
  readonly field: string;
  load(): Promise<CreateHistory>;
}

const definitions: readonly Definition[] = [
  {
    signal: 'traces',
    noun: 'spans',
    field: 'spans',
    load: async () => (await import('../../exporters/traces/history.ts')).createTracesHistory,
  },
  {
    signal: 'logs',
    noun: 'log records',
    field: 'logRecords',
    load: async () => (await import('../../exporters/logs/history.ts')).createLogsHistory,
  },
];

export interface HistoriesOptions {
  readonly config: CollectorConfig;
  readonly storeId: string;
  readonly readFacts: ReadSessionFacts;
  say(line: string): void;
}

/** Those that have an endpoint. */
export async function openHistories(
  { config: { telemetry }, storeId, readFacts, say }: HistoriesOptions,
  period: HistoryPeriod,
): Promise<readonly HistorySignal[]> {
  const { createResource } = await import('../../exporters/otlp/resource.ts');
  const resource = await createResource({
    ...{ telemetry, version },
    ...{ service: 'agents', instanceId: storeId },
  });
  const opened: HistorySignal[] = [];
  for (const { signal, load, ...names } of definitions) {
    const settings = telemetry.signals[signal];
    if (settings === null) continue;
    const create = await load();
    const { previousNames } = telemetry;
    const around = { settings, resource, version, previousNames, readFacts, say };
    opened.push({ ...names, exporter: await create(around, period) });
  }
  return opened;
}
