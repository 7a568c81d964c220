/**
 * History as OpenMetrics text with times, project by project: each family in one piece, and in it
 * each series. Attributes of spend have the project among them, so that no series has two.
 */
import type { UsageFineRow } from '@pi-ledger/contract/answers';
import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import { prometheusFamily } from '@pi-ledger/contract/telemetry/prometheus-names';
import { createFamilyFiles } from './family-files.ts';
import { createHistorySeries, type HistoryOptions, historyKeys } from './history-series.ts';

export interface HistorySums {
  readonly series: number;
  readonly samples: number;
  /** 10^-9 USD. */
  readonly metered: bigint;
  readonly subscription: bigint;
  readonly unknown: bigint;
}

/** Call `remove` at the end, whatever happens before. */
export interface HistoryWriter {
  /** All rows of one project, split by `historyDimensions`. */
  addProject(pages: AsyncIterable<readonly UsageFineRow[]>): Promise<void>;
  writeTo(write: (lines: string) => Promise<void>): Promise<HistorySums>;
  remove(): Promise<void>;
}

export async function createHistoryWriter(options: HistoryOptions): Promise<HistoryWriter> {
  const files = await createFamilyFiles();
  const written = new Set<string>();
  const sums = { series: 0, samples: 0, metered: 0n, subscription: 0n, unknown: 0n };
  return {
    async addProject(pages) {
      const history = createHistorySeries(options);
      for await (const page of pages)
        for (const row of page) {
          await history.add(row);
          sums[row.billing] += BigInt(row.nanoUsd);
        }
      for (const key of historyKeys) {
        const { lines, series, samples } = history.read(key);
        if (series === 0) continue;
        written.add(key);
        await files.append(key, lines);
        sums.series += series;
        sums.samples += samples;
      }
    },
    async writeTo(write) {
      for (const key of historyKeys) {
        if (!written.has(key)) continue;
        await write(headerOf(key));
        for await (const lines of files.read(key)) await write(lines);
      }
      await write('# EOF\n');
      return sums;
    },
    remove: files.remove,
  };
}

function headerOf(key: (typeof historyKeys)[number]): string {
  const family = prometheusFamily(metrics[key]);
  return `# HELP ${family} ${metrics[key].description}\n# TYPE ${family} counter\n`;
}
