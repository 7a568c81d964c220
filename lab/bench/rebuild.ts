/**
 * `pi-ledger rebuild` of each projection from a store of the demo's events, without a running
 * collector: its own figure, without start and end.
 */
import { createProjections } from '../../collector/projections/registry.ts';
import { noRules } from '../../collector/projections/rules.ts';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { commandLine } from './collector-process.ts';
import { fillStore } from './demo-events.ts';
import type { RebuildBaseline } from './rebuild/baseline.ts';
import { runProgram, runScript } from './run-program.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const eventsDefault = 1_000_000;
const eventsPerSecondMin = 150_000;

export const rebuild: Benchmark = {
  name: 'rebuild',
  budget:
    'a projection folded anew from the log: ' +
    `>= ${eventsPerSecondMin.toLocaleString('en-US')} events/s`,
  run: (options) => withTemporaryDirectory((home) => measure(home, options)),
};

async function measure(home: string, options: BenchOptions): Promise<readonly Row[]> {
  const storePath = await fillStore(home, options.events ?? eventsDefault);
  const bare = await runScript<RebuildBaseline>(new URL('./rebuild/baseline.ts', import.meta.url), {
    args: [storePath],
  });
  const rows: Row[] = [];
  for (const { name } of createProjections(noRules))
    rows.push(await rebuildOne(name, home, options, bare));
  const read = { measured: bare.events / bare.readSeconds, unit: 'events/s' } as const;
  return [...rows, { what: 'reading the rows alone', ...read }];
}

async function rebuildOne(
  projection: string,
  home: string,
  { profileDirectory }: BenchOptions,
  bare: RebuildBaseline,
): Promise<Row> {
  const profile =
    profileDirectory === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`];
  const command = [process.execPath, ...profile, commandLine, 'rebuild', projection, '--json'];
  const { stdout } = await runProgram(command, { PI_LEDGER_HOME: home });
  const { events, durationMs } = JSON.parse(stdout) as { events: number; durationMs: number };
  return {
    what: projection,
    measured: events / (durationMs / 1_000),
    unit: 'events/s',
    budget: { min: eventsPerSecondMin },
    baseline: { what: 'JSON.parse', measured: bare.events / bare.parseSeconds },
    note: `${events.toLocaleString('en-US')} events, ${(durationMs / 1_000).toFixed(1)} s`,
  };
}
