/**
 * `pi-ledger import` of synthetic session files: how fast they are read, stored, and checked again.
 */
import { join } from 'node:path';
import { writeDemoSessions } from '../../collector/cli/demo/session-files.ts';
import { openSqliteLog } from '../../collector/stores/sqlite/log/log.ts';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { commandLine } from './collector-process.ts';
import type { Drive } from './import/drive.ts';
import { measurePeers } from './import/peers.ts';
import { cpuSecondsOfEndedChildren, watchPeakBytes } from './proc.ts';
import { runProgram, runScript } from './run-program.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const megabytesDefault = 300;
const filesDefault = 180;
const megabytesPerCpuSecondMin = 150;
const megabytesPerSecondMin = 200;
const unchangedMsMax = 300;
const megabytesOfMemoryMax = 450;

export const importing: Benchmark = {
  name: 'import',
  budget:
    `session files, cold: >= ${megabytesPerCpuSecondMin} MB/s per core to events, ` +
    `>= ${megabytesPerSecondMin} MB/s by the clock into a store; ` +
    `5 GB in 3,000 unchanged files <= ${unchangedMsMax} ms`,
  run: (options) => withTemporaryDirectory((directory) => measure(directory, options)),
};

async function measure(
  directory: string,
  { megabytes, files, profileDirectory, peersDirectory }: BenchOptions,
): Promise<readonly Row[]> {
  const sessions = join(directory, 'sessions');
  const home = join(directory, 'home');
  const made = writeDemoSessions({
    directory: sessions,
    bytes: (megabytes ?? megabytesDefault) * 1e6,
    files: files ?? filesDefault,
    seed: 7,
    until: new Date('2026-11-20T00:00:00Z'),
  });
  const drive = (mode: string, ...args: readonly string[]) =>
    runScript<Drive>(new URL('./import/drive.ts', import.meta.url), {
      args: [mode, sessions, ...args],
    });
  // Once for the page cache: disks differ, and are not measured.
  await drive('parse');
  const parsed = await drive('parse');
  const read = await drive('read');

  const profile =
    profileDirectory === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`];
  const command = [process.execPath, ...profile, commandLine, 'import', '--pi', sessions, '--json'];
  const cpuBefore = await cpuSecondsOfEndedChildren();
  let memory: ReturnType<typeof watchPeakBytes> | null = null;
  const { stdout, wallMs } = await runProgram(
    command,
    { HOME: directory, PI_LEDGER_HOME: home },
    (pid) => {
      memory = watchPeakBytes(pid);
    },
  );
  const peakBytes = (memory as ReturnType<typeof watchPeakBytes> | null)?.stop() ?? 0;
  const cpuSeconds = (await cpuSecondsOfEndedChildren()) - cpuBefore;
  const { events } = JSON.parse(stdout) as { events: { new: number; known: number } };
  const again = await runProgram(command, { HOME: directory, PI_LEDGER_HOME: home });
  const unchanged = await drive('unchanged', join(home, 'imports.db'), storeIdIn(home));

  const peers =
    peersDirectory === null
      ? []
      : await measurePeers(peersDirectory, directory, sessions, made.bytes);

  const perCpuSecond = ({ bytes, cpuSeconds: seconds }: Drive) => bytes / 1e6 / seconds;
  const size = `${(made.bytes / 1e6).toFixed(0)} MB in ${made.files.toLocaleString('en-US')} files`;
  const baseline = { what: 'JSON.parse', measured: perCpuSecond(parsed) };
  return [
    {
      what: 'files to events',
      measured: perCpuSecond(read),
      unit: 'MB/cpu-s',
      budget: { min: megabytesPerCpuSecondMin },
      baseline,
      note: size,
    },
    {
      what: 'files to events, events',
      measured: read.events / read.cpuSeconds,
      unit: 'events/cpu-s',
      note: `${(read.events / (made.bytes / 1e6)).toFixed(0)} events/MB`,
    },
    {
      what: 'files into a store',
      measured: made.bytes / 1e6 / cpuSeconds,
      unit: 'MB/cpu-s',
      baseline,
      note: 'whole command, views folded',
    },
    {
      what: 'files into a store, by the clock',
      measured: made.bytes / 1e6 / (wallMs / 1_000),
      unit: 'MB/s',
      budget: { min: megabytesPerSecondMin },
      note: `${(wallMs / 1_000).toFixed(1)} s`,
    },
    {
      what: 'files into a store, events',
      measured: events.new / (wallMs / 1_000),
      unit: 'events/s',
      note: `${events.new.toLocaleString('en-US')} events`,
    },
    {
      what: 'files into a store, memory',
      measured: peakBytes / 1e6,
      unit: 'MB',
      budget: { max: megabytesOfMemoryMax },
      note: 'at most',
    },
    {
      what: 'pass over unchanged files',
      measured: unchanged.wallSeconds * 1_000,
      unit: 'ms',
      budget: { max: unchangedMsMax },
      note: size,
    },
    { what: 'the same as a command', measured: again.wallMs, unit: 'ms', note: 'opens the store' },
    ...peers,
  ];
}

function storeIdIn(home: string): string {
  const log = openSqliteLog({ path: join(home, 'ledger.db'), readOnly: true });
  void log.close();
  return log.storeId;
}
