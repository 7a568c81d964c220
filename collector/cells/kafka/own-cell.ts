/**
 * What a cell's ingest appends to: the cell's log, for the events of its sessions. The others go
 * through Kafka to their cells. Gateways choose the partition by how many there are, so events of
 * other cells come where partitions were added, or a topic was made anew with more or fewer.
 *
 * Contract: as `Log.append`; resolves when Kafka has what is handed on, which counts as nothing.
 */

import type { Forwarding } from '../../ingest/kafka/forwarding.ts';
import { partitionOf } from '../../ingest/kafka/partition-of.ts';
import type { AppendBatch, Log } from '../../log/log.ts';

export interface OwnCellOptions {
  readonly cell: number;
  /** The ledger has this many. */
  readonly cells: number;
  readonly forwarding: Pick<Forwarding, 'append'>;
}

export function appendToOwnCell(
  log: Pick<Log, 'append'>,
  { cell, cells, forwarding }: OwnCellOptions,
): Log['append'] {
  return async (batch) => {
    const isOwn = batch.events.map((event) => partitionOf(event, cells) === cell);
    if (isOwn.every(Boolean)) return log.append(batch);
    await forwarding.append({
      ...eventsOf(batch, (index) => isOwn[index] !== true),
      deadLetters: [],
    });
    return log.append({ ...batch, ...eventsOf(batch, (index) => isOwn[index] === true) });
  };
}

function eventsOf(
  { events, eventTexts, receivedAtMs }: AppendBatch,
  isWanted: (index: number) => boolean,
) {
  const wanted = (_: unknown, index: number): boolean => isWanted(index);
  return {
    receivedAtMs,
    events: events.filter(wanted),
    ...(eventTexts === undefined ? {} : { eventTexts: eventTexts.filter(wanted) }),
  };
}
