/**
 * `export --parquet`: the ledger's usage by UTC hour, session and everything else that it knows of
 * it. Written group by group; the library is loaded with the first file.
 */
import { fineMeasures, type UsageFineRow } from '@pi-ledger/contract/answers';
import { rowDimensions } from '@pi-ledger/contract/row-dimensions';
import type { LedgerClient } from '../client/ledger-client.ts';
import { leftOutNotes, readLeftOut } from '../client/left-out.ts';
import { standingNotes } from '../client/standing.ts';
import { filterParameters } from '../filters.ts';
import { countOf } from '../output/counts.ts';
import type { FileExporter, Sink } from './exporter.ts';
import { usageRowPages } from './row-pages.ts';

/** Rows in memory at once. */
const groupRows = 10_000;

export const exportParquet: FileExporter = async ({ client, terminal, options, write }) => {
  const notes = await standingNotes(client);
  const leftOut = await readLeftOut(terminal, client);
  const rows = await writeParquet(client, filterParameters(options, terminal.now()), write);
  return {
    text: countOf(rows, 'row'),
    summary: { rows },
    notes: [...notes, ...leftOutNotes(leftOut)],
    isIncomplete: notes.length > 0,
  };
};

async function writeParquet(
  client: Pick<LedgerClient, 'get'>,
  parameters: URLSearchParams,
  write: Sink,
): Promise<number> {
  const { ByteWriter, parquetWriteRows, schemaFromColumnData } = await import('hyparquet-writer');
  const buffer = new ByteWriter();
  const flush = async (): Promise<void> => {
    const bytes = buffer.getBytes().slice();
    buffer.index = 0;
    await write(bytes);
  };
  let count = 0;
  async function* values() {
    for await (const page of usageRowPages(client, rowDimensions, parameters))
      for (const row of page) {
        count += 1;
        yield toValues(row);
      }
  }
  await parquetWriteRows({
    writer: Object.assign(buffer, { flush, finish: flush }),
    rows: values(),
    columns: columns.map(({ name, type }) => ({ name, type })),
    schema: schemaFromColumnData({ columnData: columns.map((each) => ({ ...each, data: [] })) }),
    rowGroupSize: groupRows,
    createdBy: 'pi-ledger',
  });
  return count;
}

const texts = rowDimensions.filter((name) => name !== 'hour');
const columns = [
  { name: 'hour', type: 'TIMESTAMP' as const, nullable: false },
  ...(['day', 'billing'] as const).map((name) => ({
    name,
    type: 'STRING' as const,
    nullable: false,
  })),
  ...texts.map((name) => ({ name, type: 'STRING' as const, nullable: true })),
  ...fineMeasures.map((name) => ({ name, type: 'INT64' as const, nullable: false })),
];

function toValues(row: UsageFineRow): Record<string, unknown> {
  return {
    hour: new Date(`${row.hour}:00:00Z`),
    day: row.day,
    billing: row.billing,
    ...Object.fromEntries(texts.map((name) => [name, row[name] ?? null])),
    ...Object.fromEntries(fineMeasures.map((name) => [name, BigInt(row[name])])),
  };
}
