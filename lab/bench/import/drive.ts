/**
 * One pass over a directory of session files, in its own process: `parse` is JSON.parse of every
 * line (the minimum for any reader), `read` creates the events and discards them, `unchanged` is a
 * pass over files that were read before. Prints JSON.
 */
import { closeSync, openSync } from 'node:fs';
import { discover } from '../../../collector/importers/discover.ts';
import { createIssues } from '../../../collector/importers/issues.ts';
import { pi } from '../../../collector/importers/pi/importer.ts';
import { openProgress } from '../../../collector/importers/progress/progress.ts';
import { createReader } from '../../../collector/importers/reader-setup.ts';
import { runScan } from '../../../collector/importers/scan.ts';
import { linesOf, readChunks } from '../../../collector/importers/session/session-file.ts';

export interface Drive {
  readonly files: number;
  readonly bytes: number;
  readonly events: number;
  readonly wallSeconds: number;
  /** Of all threads of the process. */
  readonly cpuSeconds: number;
  readonly residentBytesMax: number;
}

const homeDirectory = '/home/demo-ada';
const version = '0';
const [mode = '', directory = '', progressPath = ':memory:'] = process.argv.slice(2);
const roots = [{ importer: pi, directory, isNamed: true }];
const files = await discover(roots, createIssues());
const bytes = files.reduce((sum, file) => sum + file.bytes, 0);

const cpuBefore = process.cpuUsage();
const startedMs = performance.now();
const events = await run();
const { user, system } = process.cpuUsage(cpuBefore);
const drive: Drive = {
  files: files.length,
  bytes,
  events,
  wallSeconds: (performance.now() - startedMs) / 1_000,
  cpuSeconds: (user + system) / 1e6,
  residentBytesMax: process.resourceUsage().maxRSS * 1_024,
};
console.log(JSON.stringify(drive));

async function run(): Promise<number> {
  switch (mode) {
    case 'parse':
      return parseAll();
    case 'read':
      return readAll();
    default:
      return passOver();
  }
}

function parseAll(): number {
  for (const { path } of files) {
    const descriptor = openSync(path, 'r');
    for (const { text } of linesOf(readChunks(descriptor))) JSON.parse(text ?? 'null');
    closeSync(descriptor);
  }
  return 0;
}

async function readAll(): Promise<number> {
  const reader = await createReader({
    homeDirectory,
    auditContent: false,
    version,
    latestTime: '9999',
    files: new Map(),
  });
  let made = 0;
  for (const { path } of files) {
    const reading = reader({ path, importer: 'pi', from: null, claimedBy: null });
    for (let step = reading.next(); !step.done; step = reading.next())
      made += step.value.texts.length;
  }
  return made;
}

async function* nothing(): AsyncGenerator<never> {
  // Reports nothing.
}

async function passOver(): Promise<number> {
  const progress = openProgress({ path: progressPath, storeId: process.argv[5] ?? '' });
  // Answers like a store that still has the progress of the previous pass.
  const accept = async (values: readonly unknown[]) => ({
    accepted: 0,
    duplicates: values.length,
    expired: 0,
    rejected: [],
  });
  const result = await runScan({
    roots,
    progress,
    accept,
    readLog: nothing,
    readSealedTotals: async () => null,
    withdrawSession: async () => null,
    homeDirectory,
    auditContent: false,
    version,
    now: Date.now,
    quietMs: 0,
  });
  progress.close();
  if (result.files.unchanged !== files.length)
    throw new Error(`${result.files.unchanged} of ${files.length} files were known`);
  return 0;
}
