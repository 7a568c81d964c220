/** The exporters of this program, each one line here, and the subscribers made of them. */
import type { ReadSessionFacts } from '@pi-ledger/contract/telemetry/session-facts';
import type { Exporter, ExporterSurroundings } from '../exporters/exporter.ts';
import type { Signal } from '../exporters/otlp/protocol.ts';
import type { Telemetry } from '../exporters/otlp/settings.ts';
import type { Subscriber, SubscriberBatch } from '../subscription/subscriber.ts';

interface Definition {
  /** By which it is set up; its subscriber is `otlp-<signal>`. */
  readonly signal: Signal;
  /** As of `Subscriber`. */
  readonly idleMs?: number;
  /** What came before where it begins is shown to it (`Subscriber.recall`). */
  readonly recalls?: true;
  load(): Promise<(around: ExporterSurroundings) => Promise<Exporter>>;
}

const definitions: readonly Definition[] = [
  {
    signal: 'traces',
    idleMs: 10 * 60_000,
    recalls: true,
    load: async () => (await import('../exporters/traces/exporter.ts')).createTracesExporter,
  },
  {
    signal: 'logs',
    recalls: true,
    load: async () => (await import('../exporters/logs/exporter.ts')).createLogsExporter,
  },
];

export interface ExportersOptions {
  readonly telemetry: Telemetry;
  readonly storeId: string;
  readonly version: string;
  readonly readFacts: ReadSessionFacts;
  say(message: string): void;
}

/** Those that are set up. An exporter and its libraries are loaded with its first events. */
export function createExporters(options: ExportersOptions): readonly Subscriber[] {
  return definitions
    .filter(({ signal }) => options.telemetry.signals[signal] !== null)
    .map((definition) => toSubscriber(definition, options));
}

function toSubscriber(
  { signal, idleMs, recalls, load }: Definition,
  options: ExportersOptions,
): Subscriber {
  const name = `otlp-${signal}`;
  let exporter: Exporter | null = null;

  async function create(): Promise<Exporter> {
    const { telemetry, storeId, version, readFacts } = options;
    const settings = telemetry.signals[signal];
    if (settings === null) throw new Error(`${name} is not set up.`);
    const { createResource } = await import('../exporters/otlp/resource.ts');
    const resource = await createResource({
      ...{ telemetry, version },
      ...{ service: 'agents', instanceId: storeId },
    });
    const make = await load();
    const say = (message: string): void => options.say(`${name}: ${message}`);
    const { previousNames } = telemetry;
    return make({ settings, resource, version, previousNames, readFacts, say });
  }

  async function recall(batch: SubscriberBatch, state: string | null): Promise<string | null> {
    exporter ??= await create();
    return (await exporter.recall?.(batch, state)) ?? null;
  }

  return {
    name,
    beginsAt: 'head',
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(recalls === undefined ? {} : { recall }),
    async handle(batch, signal, state) {
      exporter ??= await create();
      return exporter.handle(batch, signal, state);
    },
    losses: () => exporter?.losses() ?? null,
  };
}
