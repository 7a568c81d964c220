/**
 * `pi-ledger report` as a user runs it: a process that starts, asks and prints, on the demo's
 * month. It asks a running collector, or opens the store itself without one. Started by this Node
 * and, through the launcher, by the system's older Node, if there is one.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { commandLine, startCollector } from './collector-process.ts';
import { fillStore } from './demo-events.ts';
import { runProgram } from './run-program.ts';
import { median, spread } from './statistics.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const msMax = { asking: 100, alone: 150 };
/** The launcher uses a Node of at least this version directly. */
const nodeVersionMin = [22, 19] as const;

export const report: Benchmark = {
  name: 'report',
  budget:
    `\`pi-ledger report\` as a process, start to end: <= ${msMax.asking} ms ` +
    `while a collector runs, <= ${msMax.alone} ms without`,
  run: (options) => withTemporaryDirectory((home) => measure(home, options)),
};

/** The programs only differ in their home. */
interface Runtime {
  readonly name: string;
  readonly node: string;
}

async function measure(home: string, { runs }: BenchOptions): Promise<readonly Row[]> {
  await fillStore(home);
  const older = await findOlderNode();
  const runtimes: Runtime[] = [
    { name: 'this Node', node: process.execPath },
    ...(older === null ? [] : [older]),
  ];
  const alone = await byTurns(runtimes, home, runs);
  const collector = await startCollector({ home });
  const asking = await byTurns(runtimes, home, runs).finally(() => collector.stop());
  return runtimes.flatMap(({ name }) => [
    rowOf(`collector running, by ${name}`, msMax.asking, asking.get(name)),
    rowOf(`no collector, by ${name}`, msMax.alone, alone.get(name)),
  ]);
}

interface Samples {
  readonly report: readonly number[];
  readonly bare: readonly number[];
}

async function byTurns(
  runtimes: readonly Runtime[],
  home: string,
  runs: number,
): Promise<ReadonlyMap<string, Samples>> {
  const samples = new Map(
    runtimes.map(({ name }) => [name, { report: [] as number[], bare: [] as number[] }]),
  );
  // Round 0 fills the caches.
  for (let round = 0; round <= runs; round += 1) {
    for (const { name, node } of runtimes) {
      const bare = await runProgram([node, '-e', '0']);
      const report = await runProgram([node, commandLine, 'report'], { PI_LEDGER_HOME: home });
      if (!report.stdout.includes('demo-shop'))
        throw new Error(`not the demo's report:\n${report.stdout}`);
      if (round === 0) continue;
      samples.get(name)?.bare.push(bare.wallMs);
      samples.get(name)?.report.push(report.wallMs);
    }
  }
  return samples;
}

function rowOf(what: string, max: number, samples: Samples | undefined): Row {
  const { report: taken = [], bare = [] } = samples ?? {};
  return {
    what,
    measured: median(taken),
    unit: 'ms',
    budget: { max },
    baseline: { what: 'node -e 0', measured: median(bare) },
    note: `middle half ${spread(taken, 0)}`,
  };
}

/** The first Node on PATH that is too old for the launcher. */
async function findOlderNode(): Promise<Runtime | null> {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(directory, 'node');
    if (!isExecutable(node)) continue;
    const version = (await runProgram([node, '--version'])).stdout.trim();
    const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
    if (major < nodeVersionMin[0] || (major === nodeVersionMin[0] && minor < nodeVersionMin[1]))
      return { name: `Node ${version}`, node };
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // missing
  }
}
