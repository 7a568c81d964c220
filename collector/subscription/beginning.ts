/**
 * How a view that is folded anew begins: empty, or with the documents and rows of the sealed
 * history.
 *
 * Contract: rejects when the store fails, with `sealed_by_another_version`, and when the seal is
 * incomplete; the generation is then useless. Memory is bounded by `documentCharsMax` and the
 * largest document.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Seal } from '../log/history.ts';
import type { Log } from '../log/log.ts';
import { type Amount, addAmounts } from '../projections/amount.ts';
import { type Projection, type Rollup, rowKey } from '../projections/projection.ts';
import { readSealed, type SealedEntry } from '../seal/content.ts';
import { openDocument } from '../seal/documents.ts';
import type { Generation, ViewDocument, ViewsWriter } from '../views/views.ts';
import { createDeltas } from './deltas.ts';
import { writeFoldSettings } from './fold-settings.ts';

export interface BeginningOptions {
  readonly log: Log;
  readonly views: ViewsWriter;
  readonly projection: Projection;
  readonly seal: Seal | null;
  /** `Withdrawals.version` of the log. */
  readonly withdrawn: string;
}

const documentCharsMax = 2 * 1024 * 1024;
const documentsMax = 1_000;
/**
 * Sealed history is committed at positions before the log's first one; there are never so many
 * commits of it.
 */
const sealedCheckpoint = -1_000_000_000;

export interface Beginning {
  /** The log is to be read from its beginning. */
  readonly generation: Generation;
  /**
   * Its cumulative rollups hold what was counted before the seal. False for a seal that has no rows
   * of them: of a program that did not have them yet.
   */
  readonly isCounted: boolean;
}

export async function beginView({
  log,
  views,
  projection,
  seal,
  withdrawn,
}: BeginningOptions): Promise<Beginning> {
  const settings = writeFoldSettings({ settings: projection.settings, withdrawn });
  const folded = { ...projection, settings };
  if (seal === null) return { generation: await views.begin(folded), isCounted: false };
  const generation = await views.begin(folded, sealedCheckpoint);
  const deltas = createDeltas();
  let from = sealedCheckpoint;
  let documents: ViewDocument[] = [];
  let chars = 0;
  let isCounted = false;
  const isFull = () =>
    chars > documentCharsMax ||
    documents.length >= documentsMax ||
    documents.length + deltas.size() >= (views.rowsPerCommit ?? Number.POSITIVE_INFINITY);

  async function commit(to: number): Promise<void> {
    const outcome = await views.commit(projection, {
      generation: generation.id,
      from,
      to,
      documents,
      deltas: deltas.take(),
    });
    if (outcome === 'stale')
      throw new Error(`The view ${projection.name} was begun by another process.`);
    from = to;
    documents = [];
    chars = 0;
    await nextTurn();
  }

  function take(entry: SealedEntry): void {
    if (entry.is === 'row') {
      const rollup = projection.sealing?.cumulative.find(({ name }) => name === entry.rollup);
      if (rollup === undefined) return;
      isCounted = true;
      deltas.emit(
        rollup,
        rowKey(rollup, readTexts(rollup, entry.dimensions)),
        readMeasures(rollup, entry.measures),
      );
    } else if (entry.projection === projection.name) {
      const state = openDocument(projection, entry);
      projection.sealing?.emit(state, deltas.emit);
      documents.push({
        key: entry.key,
        columns: projection.columnsOf(state),
        body: projection.encode(state),
      });
      chars += entry.body.length;
    }
  }

  await readSealed(log, seal, async (entry) => {
    take(entry);
    if (isFull()) await commit(from + 1);
  });
  await commit(0);
  return { generation: { ...generation, checkpoint: 0 }, isCounted };
}

/** A dimension that the seal does not know is unknown. */
function readTexts(
  { dimensions }: Rollup,
  sealed: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(dimensions.map((name) => [name, sealed[name] ?? '']));
}

function readMeasures({ measures }: Rollup, sealed: Readonly<Record<string, string>>): Amount[] {
  const amounts = measures.map((): Amount => 0);
  addAmounts(
    amounts,
    measures.map((name) => BigInt(sealed[name] ?? '0')),
  );
  return amounts;
}
