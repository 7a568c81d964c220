/** An exporter under test: its events, what has arrived of them, and collectors that export. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Signal } from '../../../collector/exporters/otlp/protocol.ts';
import { eventSpanId } from '../../../collector/exporters/span-ids.ts';
import type { Behaviour, Endpoint } from '../../collector/exporters/support/endpoint.ts';
import {
  type Exporting,
  type ExportingOptions,
  exportingLedgers,
} from '../../collector/exporters/support/exporting.ts';
import { eventId } from '../../collector/support/events.ts';
import { memberEvents } from '../../collector/support/family.ts';
import { get } from '../../collector/support/ledger.ts';

export interface ExporterUnderTest {
  readonly signal: Exclude<Signal, 'metrics'>;
  /** An event that is worth one item, whose span id is that of the event; maybe others, too. */
  eventOf(number: number, place: { subject: string; time?: string }): LedgerEvent;
}

export const shop = memberEvents({ id: 'session-1' });
const signals = ['traces', 'metrics', 'logs'] as const;

export type Kit = ReturnType<typeof createKit>;

/** Call it while a test file is loaded. */
export function createKit({ signal, eventOf }: ExporterUnderTest) {
  const openLedger = exportingLedgers();
  const name = `otlp-${signal}`;

  /** The others are not exported. */
  const open = (url: string, { more, ...options }: ExportingOptions = {}): Promise<Exporting> => {
    const others = signals.filter((each) => each !== signal);
    const off = others.map((each) => [`OTEL_${each.toUpperCase()}_EXPORTER`, 'none']);
    return openLedger(url, { ...options, more: { ...Object.fromEntries(off), ...more } });
  };
  const events = (from: number, to: number, place: { subject?: string; time?: string } = {}) =>
    Array.from({ length: to - from + 1 }, (_, index) =>
      eventOf(from + index, { subject: 'session-1', ...place }),
    );
  const idsOf = (from: number, to: number): string[] =>
    events(from, to).map((_, index) => eventSpanId(eventId(from + index)));

  /** Of items of these events, in the order of arrival, repeated where they came again. */
  function arrived(endpoint: Endpoint, from: number, to: number): string[] {
    const wanted = new Set(idsOf(from, to));
    return endpoint
      .taken()
      .map(({ spanId }) => spanId)
      .filter((id) => wanted.has(id));
  }

  const stateOf = async ({ ledger }: Exporting) => {
    const { warnings, subscribers } = (await get(ledger, '/health/ready')).json();
    return { warnings, ...subscribers[0] };
  };

  /** Takes every request but those with this item. */
  const allBut = (number: number, reply: ReturnType<Behaviour>): Behaviour => {
    const bad = eventSpanId(eventId(number));
    return ({ items }) => (items.some(({ spanId }) => spanId === bad) ? reply : { status: 200 });
  };

  return { signal, name, open, events, idsOf, arrived, stateOf, allBut };
}
