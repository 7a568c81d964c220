/**
 * History as OpenMetrics text with times, project by project: each family in one piece, and in it
 * each series. Attributes of spend have the project among them, so that no series has two.
 */
import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UsageFineRow } from '@pi-ledger/contract/answers';
import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import { prometheusFamily } from '@pi-ledger/contract/telemetry/prometheus-names';
import { fileReason } from '@pi-ledger/core/machine/file-reason';
import { linesIn } from '../../transfer/line-stream.ts';
import { createHistorySeries, type HistoryOptions, historyKeys } from './series.ts';

export interface HistorySums {
  readonly series: number;
  readonly samples: number;
  /** 10^-9 USD. */
  readonly metered: bigint;
  readonly subscription: bigint;
  readonly unknown: bigint;
}

/** Call `remove` at the end, whatever happens before. */
interface HistoryWriter {
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
        await write(familyHeader(key));
        for await (const lines of files.read(key)) await write(lines);
      }
      await write('# EOF\n');
      return sums;
    },
    remove: files.remove,
  };
}

function familyHeader(key: (typeof historyKeys)[number]): string {
  const family = prometheusFamily(metrics[key]);
  return `# HELP ${family} ${metrics[key].description}\n# TYPE ${family} counter\n`;
}

// Lines that are written side by side and read one after the other, in files of a temporary folder
// that only its owner can read: OpenMetrics wants each family in one piece.

interface FamilyFiles {
  append(family: string, lines: string): Promise<void>;
  /** Whole lines, some at once. */
  read(family: string): AsyncIterable<string>;
  remove(): Promise<void>;
}

const linesAtOnce = 1_000;

export async function createFamilyFiles(): Promise<FamilyFiles> {
  const folder = await named(() => mkdtemp(join(tmpdir(), 'pi-ledger-')));
  return {
    append: (family, lines) => named(() => appendFile(join(folder, family), lines)),
    async *read(family) {
      let some: string[] = [];
      const bytes = createReadStream(join(folder, family));
      for await (const { text } of linesIn(bytes, Number.POSITIVE_INFINITY)) {
        some.push(`${text}\n`);
        if (some.length < linesAtOnce) continue;
        yield some.join('');
        some = [];
      }
      yield some.join('');
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The user has not named this folder, and may not know that it is used. */
async function named<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = fileReason(error);
    if (reason === undefined) throw error;
    const message = `The temporary folder ${tmpdir()} (TMPDIR) cannot be used: ${reason}.`;
    throw new Error(message, { cause: error });
  }
}
