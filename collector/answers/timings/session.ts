/** What one session measured: its tools by name, and its runs. */
import type { SessionRun, ToolFigures } from '@pi-ledger/contract/answers';
import type { TimingLine, TimingTable } from '../../projections/timings/cells.ts';
import { timings } from '../../projections/timings.ts';
import type { ViewsReader } from '../../views/views.ts';
import { toolFigures } from '../tools/query.ts';
import type { Sums } from './rows.ts';

export interface SessionTimings {
  /** Without the calls of tools that were not called. */
  toolFiguresOf(tool: string): ToolFigures;
  /** The newest ones, by time. */
  readonly runs: readonly SessionRun[];
  readonly runsTotal: number;
}

/** `views`: as the caller may see them. */
export async function sessionTimings(views: ViewsReader, id: string): Promise<SessionTimings> {
  const [found] = await views.find(timings, {
    where: [{ column: 'key', is: 'in', values: [id] }],
    orderBy: { column: 'key', descending: false },
    limit: 1,
  });
  if (found === undefined) return { toolFiguresOf: () => toolFigures({}), runs: [], runsTotal: 0 };
  const { cells, runs } = timings.decode(found.body);
  const { tools, liveTools } = cells.tables;
  const counted = liveTools.isCounted ? [tools, liveTools] : [tools];
  const ended = [...cells.tables.runs.lines.values()].map((line) =>
    sumsOf([line], cells.tables.runs),
  );
  return {
    toolFiguresOf: (tool) =>
      toolFigures(
        sumsOf(
          counted.flatMap(({ lines }) => lines.get(tool) ?? []),
          tools,
        ),
      ),
    runs: runs.map(({ time, ...run }) => ({ endedAt: time, ...run })),
    runsTotal: ended.reduce((sum, { runs: count = 0n }) => sum + Number(count), 0),
  };
}

function sumsOf(lines: readonly TimingLine[], { rollup }: TimingTable): Sums {
  const cells = lines.flatMap((line) => [...line.cells.values()]);
  return Object.fromEntries(
    rollup.measures.map((name, index) => [
      name,
      cells.reduce((sum, { amounts }) => sum + BigInt(amounts[index] ?? 0), 0n),
    ]),
  );
}
