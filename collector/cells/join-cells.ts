/** Makes the parts of each cell, and those of all of them for who asks. */
import { LedgerError } from '../errors.ts';
import { createForwarding, type Forwarding } from '../ingest/kafka/forwarding.ts';
import { createKafka } from '../ingest/kafka/kafkajs.ts';
import { partitionOf } from '../ingest/kafka/partition-of.ts';
import { topicsOf } from '../ingest/kafka/records.ts';
import { measured, type OpenedLedger, type OpeningOptions } from '../roles/opening.ts';
import { createParts, type LedgerParts } from '../roles/parts.ts';
import type { CellStore } from '../stores/store.ts';
import { createCellErrands } from './cell-errands.ts';
import { joinParts } from './joined-parts.ts';
import { type Claiming, createClaiming, createClaimsDesk } from './kafka/claims.ts';
import { appendToOwnCell } from './kafka/own-cell.ts';
import { joinHistories } from './log/joined-history.ts';
import { joinViews } from './views/joined-views.ts';
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
      partitionOf: (event) => partitionOf(event, cells.length),
      now: options.now,
      onError: options.logger.reporter('while handing on to Kafka'),
    });
    const { claims: topic } = topicsOf(settings);
    const claiming = createClaiming(forwarding, { topic, cells: cells.length });
    const parts = await partsOf(options, cells, { forwarding, claiming });
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
  { forwarding, claiming }: { readonly forwarding: Forwarding; readonly claiming: Claiming },
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
          ownership: createClaimsDesk(store.log, claiming),
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
