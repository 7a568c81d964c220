/** What is not counted as it happens, but read when metrics are collected. */

import type {
  HealthAttribute,
  HealthMetricKey,
} from '@pi-ledger/contract/telemetry/health-metrics';
import { dayMs } from '@pi-ledger/core/time/units';
import type { FullHealth } from '../../answers/health/route.ts';
import type { DeadLetterStatus } from '../../ingest/dead-letter-room.ts';
import { producers, type SeenProducer } from '../../projections/producers.ts';
import type { ViewDocument, ViewsReader } from '../../views/views.ts';
import { readSpool } from './spool.ts';

export const readKeys = [
  'ready',
  'leader',
  'viewLag',
  'viewSetAside',
  'subscriberLag',
  'subscriberFailing',
  'subscriberLost',
  'deadLetters',
  'deadLettersLost',
  'producersDropped',
  'producersSilent',
  'spoolSize',
  'spoolAge',
] as const satisfies readonly HealthMetricKey[];

interface Reading {
  readonly key: (typeof readKeys)[number];
  readonly value: number;
  readonly attributes?: Partial<Record<HealthAttribute, string>>;
}

export interface ReadingsOptions {
  readonly views: ViewsReader;
  readonly spoolDirectory: string;
  readonly now: () => number;
  readHealth(): Promise<FullHealth>;
  deadLetters(): DeadLetterStatus;
  /** Hears of each failure; the other readings are read all the same. */
  onError(error: unknown): void;
}

/** Never rejects. */
export type ReadReadings = () => Promise<readonly Reading[]>;

/** Both who leads and who stands by say how far views and exporters are. */
export function collectorReadings(options: ReadingsOptions): ReadReadings {
  const { views, spoolDirectory, now, readHealth, deadLetters, onError } = options;
  return together(onError, [
    async () => healthReadings(await readHealth(), deadLetters()),
    () => producerReadings(views, now()),
    () => spoolReadings(spoolDirectory, now()),
  ]);
}

/** A gateway has no views, and no spool is read where it runs. */
export function gatewayReadings({
  readHealth,
  onError,
}: Pick<ReadingsOptions, 'readHealth' | 'onError'>): ReadReadings {
  return together(onError, [async () => [readyReading(await readHealth())]]);
}

function together(
  onError: (error: unknown) => void,
  parts: readonly (() => Promise<readonly Reading[]>)[],
): ReadReadings {
  return async () => {
    const read = parts.map((part) =>
      part().catch((error: unknown): readonly Reading[] => {
        onError(error);
        return [];
      }),
    );
    return (await Promise.all(read)).flat();
  };
}

function readyReading({ ready }: FullHealth): Reading {
  return { key: 'ready', value: ready ? 1 : 0 };
}

function healthReadings(health: FullHealth, deadLetters: DeadLetterStatus): readonly Reading[] {
  const { role, views, subscribers } = health;
  const isLeader = role === 'leader';
  return [
    readyReading(health),
    { key: 'leader', value: isLeader ? 1 : 0 },
    ...views.flatMap(({ projection, position, head, setAside }): Reading[] => {
      const attributes = { 'pi.ledger.view': projection };
      return [
        { key: 'viewLag', value: head - position, attributes },
        { key: 'viewSetAside', value: setAside.count, attributes },
      ];
    }),
    ...subscribers.flatMap(({ name, position, head, failure, passedOver, losses }): Reading[] => {
      const attributes = { 'pi.ledger.subscriber': name };
      return [
        ...(position === null
          ? []
          : [{ key: 'subscriberLag' as const, value: head - position, attributes }]),
        { key: 'subscriberFailing', value: failure === null ? 0 : 1, attributes },
        lost(name, 'passedOver', passedOver),
        lost(name, 'rejected', losses.rejected),
        lost(name, 'refused', losses.refused),
      ];
    }),
    // Who stands by has not counted them.
    ...(isLeader ? ([{ key: 'deadLetters', value: deadLetters.count }] as const) : []),
    { key: 'deadLettersLost', value: deadLetters.notKept },
  ];
}

function lost(subscriber: string, reason: string, value: number): Reading {
  const attributes = { 'pi.ledger.subscriber': subscriber, 'pi.ledger.reason': reason };
  return { key: 'subscriberLost', value, attributes };
}

const producersAtOnce = 500;
/** More processes in a day are summed as far as this. */
const producersMax = 10_000;

async function producerReadings(views: ViewsReader, nowMs: number): Promise<readonly Reading[]> {
  const dropped = new Map<string, number>();
  const since = new Date(nowMs - dayMs).toISOString();
  let after: { value: string; key: string } | undefined;
  for (let read = 0; read < producersMax; read += producersAtOnce) {
    const found = await views.find(producers, {
      where: [{ column: 'lastSeenAt', is: 'from', values: [since] }],
      orderBy: { column: 'lastSeenAt', descending: true },
      limit: producersAtOnce,
      ...(after === undefined ? {} : { after }),
    });
    for (const [reason, count] of found.flatMap(countDropped))
      dropped.set(reason, (dropped.get(reason) ?? 0) + count);
    const last = found.at(-1);
    if (last === undefined || found.length < producersAtOnce) break;
    after = { value: String(last.columns.lastSeenAt), key: last.key };
  }
  return reasons.map((reason) => ({
    key: 'producersDropped',
    value: dropped.get(reason) ?? 0,
    attributes: { 'pi.ledger.reason': reason },
  }));
}

const reasons = ['spoolFull', 'spoolUnwritable', 'eventTooLarge', 'recordFailed'] as const;

function countDropped({ body }: ViewDocument): [string, number][] {
  const { dropped }: SeenProducer = producers.decode(body);
  return reasons.map((reason) => [reason, dropped[reason]]);
}

async function spoolReadings(directory: string, nowMs: number): Promise<readonly Reading[]> {
  const { bytes, oldestMs, silent } = await readSpool(directory, nowMs);
  return [
    { key: 'spoolSize', value: bytes },
    { key: 'spoolAge', value: oldestMs / 1000 },
    { key: 'producersSilent', value: silent },
  ];
}
