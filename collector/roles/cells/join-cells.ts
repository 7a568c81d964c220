/** Makes the parts of each cell, and those of all of them for who asks. */
import { LedgerError } from '../../errors.ts';
import { courtOf, createClaimsDesk } from '../../ingest/kafka/claims.ts';
import { createForwarding, type Forwarding } from '../../ingest/kafka/forwarding.ts';
import { createKafka } from '../../ingest/kafka/kafkajs.ts';
import { appendToOwnCell } from '../../ingest/kafka/own-cell.ts';
import { topicsOf } from '../../ingest/kafka/records.ts';
import { cellOf } from '../../log/cell-of.ts';
import { joinHistories } from '../../log/joined/joined-history.ts';
import type { CellStore } from '../../stores/store.ts';
import { joinViews } from '../../views/joined/joined-views.ts';
import { measured, type OpenedLedger, type OpeningOptions } from '../opening.ts';
import { createParts, type LedgerParts } from '../parts.ts';
import { createCellErrands } from './cell-errands.ts';
import { joinParts } from './joined-parts.ts';
import { cellsWorker } from './worker.ts';

/** Closes the cells where it rejects. */
export async function joinCells(
  options: OpeningOptions,
  opened: readonly CellStore[],
): Promise<OpenedLedger> {
  const cells = opened.map((cell) => measured(cell, options.recorder));
  try {
    const { kafka: settings } = options.config;
    if (settings === null) throw new LedgerError('config_invalid');
    const kafka = createKafka(settings);
    const forwarding = createForwarding({
      producing: kafka.openProducing(),
      topics: topicsOf(settings),
      // Whatever a topic has: the ledger's cells do not change.
      partitionOf: (event) => cellOf(event, cells.length),
      courtOf: (event) => courtOf(event, cells.length),
      now: options.now,
      onError: options.logger.reporter('while handing on to Kafka'),
    });
    const parts = await partsOf(options, cells, forwarding);
    const of = cells.map((store, cell) => {
      const own = parts[cell] as LedgerParts;
      return { store, parts: own, errands: createCellErrands(own) };
    });
    const joined = joinParts(of, forwarding);
    const { topicPrefix } = settings;
    return {
      parts: joined,
      role: cellsWorker({ cells: of, joined, kafka, topicPrefix, forwarding }),
    };
  } catch (error) {
    for (const cell of cells) await cell.close();
    throw error;
  }
}

function partsOf(
  options: OpeningOptions,
  cells: readonly CellStore[],
  forwarding: Forwarding,
): Promise<readonly LedgerParts[]> {
  const views = joinViews(cells);
  const ledgerId = cells[0]?.storeId ?? '';
  const { settledFloorMs: lowestFloorMs } = joinHistories(cells.map(({ log }) => log.history));
  return Promise.all(
    cells.map((store, number) =>
      createParts({
        ...options,
        store,
        cell: {
          number,
          ledgerId,
          views,
          lowestFloorMs,
          ownership: createClaimsDesk(store.log, forwarding),
          append: appendToOwnCell(store.log, {
            cell: number,
            cells: cells.length,
            forwarding,
          }),
        },
      }),
    ),
  );
}
