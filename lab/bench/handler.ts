/**
 * What the extension's handlers cost the host, with everything real except the host: entries are
 * found, recorded and appended to the spool on disk. Measured twice: handlers in immediate
 * succession (hot), and in a host's rhythm, with 20 ms of other work before each. Then nothing is
 * in the processor's caches, and the bare append is measured in the same rhythm. No collector runs,
 * as for a user who has not started one. The handler that scans all entries runs when the agent is
 * idle, not in a turn: it has no budget, and a separate row.
 */
import { join } from 'node:path';
import buildExtension from '../../test/hosts/support/host/build-extension.ts';
import { hosts } from '../../test/hosts/support/host/hosts.ts';
import { ensureHost } from '../../test/hosts/support/host/install.ts';
import type { Benchmark, Row } from './benchmark.ts';
import type { Timing, Timings } from './handler/drive.ts';
import { runScript } from './run-program.ts';
import { median, spread } from './statistics.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const entries = 10_000;
const turns = 2_500;
const rests = 200;
const requestHooks = ['turn_start', 'after_provider_response', 'message_start'];
const turnHooks = ['tool_execution_start', 'tool_result', 'tool_execution_end', 'turn_end'];
const pauseMs = 20;
const rhythmTurns = 150;
const rhythmEntries = [10_000, 20_000];
/** Number of processes, each of which gives one first tool handler. */
const firstsMax = 9;
const rhythmRatioMax = 2.5;
const firstMsMax = 5;
const p50Max = 30;
const p99Max = 200;

export const handler: Benchmark = {
  name: 'handler',
  budget:
    "a hook's handler, durable append included, in a session of 10,000 entries: " +
    `p50 <= ${p50Max} us, p99 <= ${p99Max} us; ` +
    `in a host's rhythm turn_end <= ${rhythmRatioMax} bare appends, ` +
    `the process's first tool handler <= ${firstMsMax} ms`,
  async run({ runs }) {
    buildExtension();
    const rows = [
      ...rowsOf('node', await drive(process.execPath)),
      ...rowsOf('bun', await drive(await bun())),
    ];
    for (const entryCount of rhythmEntries)
      rows.push(...(await rhythmRows(entryCount, Math.min(runs, firstsMax))));
    return rows;
  },
};

async function rhythmRows(entryCount: number, processes: number): Promise<Row[]> {
  const rhythm = (turnCount: number) =>
    drive(process.execPath, [entryCount, turnCount, 0, pauseMs]);
  const timings = await rhythm(rhythmTurns);
  const append = named(timings, 'append').p50;
  const rows = [...requestHooks, ...turnHooks].map((hook): Row => {
    const budget = hook === 'turn_end' ? { budget: { max: rhythmRatioMax * append } } : {};
    const baseline = { what: 'bare append', measured: append };
    return {
      what: `rhythm, ${entryCount} entries: ${hook} p50`,
      measured: named(timings, hook).p50,
      unit: 'us',
      ...budget,
      baseline,
    };
  });
  const firsts: number[] = [];
  while (firsts.length < processes)
    firsts.push(named(await rhythm(1), 'tool_execution_start').first / 1_000);
  const note = `median of ${processes} processes, ${spread(firsts)}`;
  const first = {
    measured: median(firsts),
    unit: 'ms',
    budget: { max: firstMsMax },
    note,
  } as const;
  return [
    ...rows,
    { what: `rhythm, ${entryCount} entries: the process's first tool handler`, ...first },
  ];
}

function drive(
  program: string,
  work: readonly number[] = [entries, turns, rests],
): Promise<Timings> {
  return withTemporaryDirectory((directory) =>
    runScript<Timings>(new URL('./handler/drive.ts', import.meta.url), {
      program,
      args: [join(directory, 'project'), ...work.map(String)],
      // The discard port has no listener.
      env: {
        HOME: directory,
        PI_LEDGER_HOME: join(directory, 'ledger'),
        PI_LEDGER_URL: 'http://127.0.0.1:9',
      },
    }),
  );
}

/** omp comes with its own. */
async function bun(): Promise<string> {
  const omp = hosts.find(({ family }) => family === 'omp');
  if (omp === undefined) throw new Error('there is no host on Bun');
  await ensureHost(omp);
  return omp.command[0] ?? '';
}

function rowsOf(runtime: string, timings: Timings): Row[] {
  const append = named(timings, 'append');
  const walks = [...requestHooks, ...turnHooks].flatMap((hook) =>
    rowsOfHook(runtime, hook, named(timings, hook), append),
  );
  const scan = named(timings, 'agent_settled');
  const scans = { baseline: { what: 'bare append', measured: append.p50 }, unit: 'us' } as const;
  return [
    ...walks,
    { what: `${runtime} agent_settled (all entries) p50`, measured: scan.p50, ...scans },
    { what: `${runtime} agent_settled (all entries) p99`, measured: scan.p99, unit: 'us' },
    {
      what: `${runtime} session_start, the process's first`,
      measured: named(timings, 'session_start').first,
      unit: 'us',
    },
  ];
}

function rowsOfHook(runtime: string, hook: string, timing: Timing, append: Timing): Row[] {
  const note = `the process's first: ${timing.first.toFixed(0)} us`;
  const baseline = (measured: number) => ({ what: 'bare append', measured });
  return [
    {
      what: `${runtime} ${hook} p50`,
      measured: timing.p50,
      unit: 'us',
      budget: { max: p50Max },
      baseline: baseline(append.p50),
      note,
    },
    {
      what: `${runtime} ${hook} p99`,
      measured: timing.p99,
      unit: 'us',
      budget: { max: p99Max },
      baseline: baseline(append.p99),
    },
  ];
}

function named(timings: Timings, name: string): Timing {
  const timing = timings[name];
  if (timing === undefined) throw new Error(`${name} was not measured`);
  return timing;
}
