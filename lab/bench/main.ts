/**
 * `npm run bench [-- name...] [options]`: measures, and prints a table with the budgets. Exit code
 * 0 whatever the result, 1 if something could not be measured, 2 for a usage error.
 */
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { verdictOf } from './benchmark.ts';
import { benchmarks } from './registry.ts';
import { renderTable } from './table.ts';
import { keepRows, writeTable } from './written-table.ts';

const usage = `npm run bench [-- name...] [options]
  names: ${benchmarks.map(({ name }) => name).join(', ')} (default: all)
  --json              print JSON
  --write             keep the rows, and write the table of lab/benchmarks.md
  --runs <n>          repetitions of whatever starts a process (20)
  --events <n>        events to ingest (200,000); to rebuild from, look over, soak with (1,000,000)
  --megabytes <n>     of session files to import (300)
  --files <n>         that they are in (180)
  --peers <dir>       other tools to measure on the same session files (docs/accounting.md)
  --minutes <n>       of a load at a steady rate (2)
  --rate <n>          of it, events a second, with --one-worker (the peak of 50,000 developers)
  --one-worker        one worker alone takes in the organisation's load, from a topic of Kafka
  --idle-seconds <n>  before the collector's memory is read (15)
  --store <name>      of the overview, of one worker, or that grows: sqlite (the default), mongodb
                      or both
  --profile <dir>     write the collector's CPU profiles there`;

interface Outcome {
  readonly benchmark: Benchmark;
  readonly rows: readonly Row[];
  /** Why it could not be measured. */
  readonly problem: string | null;
}

async function main(args: readonly string[]): Promise<number> {
  const request = readRequest(args);
  if (request === null) {
    console.error(usage);
    return 2;
  }
  const outcomes: Outcome[] = [];
  for (const benchmark of request.wanted) {
    const outcome = await measure(benchmark, request.options);
    outcomes.push(outcome);
    if (request.isWritten && outcome.problem === null)
      keepRows({ name: benchmark.name, rows: outcome.rows });
  }
  if (request.isWritten) writeTable(benchmarks.map(({ name }) => name));
  console.log(
    request.json
      ? JSON.stringify({ machine: machine(), ...asJson(outcomes) }, null, 2)
      : asText(outcomes),
  );
  return outcomes.some(({ problem }) => problem !== null) ? 1 : 0;
}

interface Request {
  readonly wanted: readonly Benchmark[];
  readonly options: BenchOptions;
  readonly json: boolean;
  readonly isWritten: boolean;
}

function readRequest(args: readonly string[]): Request | null {
  const options = {
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    runs: { type: 'string', default: '20' },
    events: { type: 'string' },
    megabytes: { type: 'string' },
    files: { type: 'string' },
    minutes: { type: 'string' },
    rate: { type: 'string' },
    'one-worker': { type: 'boolean', default: false },
    'idle-seconds': { type: 'string', default: '15' },
    store: { type: 'string', default: 'sqlite' },
    profile: { type: 'string' },
    peers: { type: 'string' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const wanted = positionals.length === 0 ? benchmarks : positionals.map(named);
    const countOrNull = (text: string | undefined) => (text === undefined ? null : count(text));
    const { events, megabytes, files, minutes, rate } = values;
    const profileDirectory = values.profile ?? null;
    return {
      wanted,
      json: values.json,
      isWritten: values.write,
      options: {
        runs: count(values.runs),
        events: countOrNull(events),
        megabytes: countOrNull(megabytes),
        files: countOrNull(files),
        minutes: countOrNull(minutes),
        eventsPerSecond: countOrNull(rate),
        isOneWorker: values['one-worker'],
        idleSeconds: count(values['idle-seconds']),
        stores: storesOf(values.store),
        profileDirectory,
        peersDirectory: values.peers ?? null,
      },
    };
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return null;
  }
}

function named(name: string): Benchmark {
  const benchmark = benchmarks.find((each) => each.name === name);
  if (benchmark === undefined) throw new Error(`There is no benchmark ${name}.`);
  return benchmark;
}

function storesOf(text: string): BenchOptions['stores'] {
  if (text === 'both') return ['sqlite', 'mongodb'];
  if (text === 'sqlite' || text === 'mongodb') return [text];
  throw new Error(`Expected sqlite, mongodb or both, got "${text}".`);
}

function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Error(`Expected a whole number from 1, got "${text}".`);
  return Number(text);
}

async function measure(benchmark: Benchmark, options: BenchOptions): Promise<Outcome> {
  console.error(`${benchmark.name} ...`);
  try {
    return { benchmark, rows: await benchmark.run(options), problem: null };
  } catch (error) {
    return {
      benchmark,
      rows: [],
      problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

function machine(): string {
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const { platform, arch, version } = process;
  return `${cpus().length} cores, ${gibibytes} GiB, ${platform} ${arch}, Node ${version}`;
}

function asJson(outcomes: readonly Outcome[]): object {
  const ofOne = ({ benchmark: { name, budget }, rows, problem }: Outcome) => ({
    name,
    budget,
    problem,
    rows: rows.map((row) => ({
      ...row,
      verdict: verdictOf(row),
      ratio:
        row.baseline === undefined || row.measured === null
          ? null
          : row.measured / row.baseline.measured,
    })),
  });
  return { benchmarks: outcomes.map(ofOne) };
}

function asText(outcomes: readonly Outcome[]): string {
  const sections = outcomes.map(({ benchmark, rows, problem }) => [
    `${benchmark.name}: ${benchmark.budget}`,
    ...renderTable(rows).map((line) => `  ${line}`),
    ...(problem === null ? [] : [`  not measured: ${problem}`]),
    '',
  ]);
  return [machine(), '', ...sections.flat()].join('\n');
}

// Collectors and directories of an interrupted benchmark are removed with the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.exitCode = await main(process.argv.slice(2));
