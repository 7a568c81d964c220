/**
 * What the extension adds to the start and the end of a real host: `-p` with one prompt, against
 * the fake LLM server. Start is the time until the model request; exit is the time from there until
 * the process has ended (the answer takes the same with and without). The variants alternate, and
 * the added time is the median of the differences within a round, beside an extension that is
 * empty: the first one makes a host load its loader, which has a row of its own. CPU time of the
 * whole run shows what remains on a busy machine.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import buildExtension from '../../test/hosts/support/host/build-extension.ts';
import { hosts as allHosts, type Host } from '../../test/hosts/support/host/hosts.ts';
import { ensureHost } from '../../test/hosts/support/host/install.ts';
import { startPrint } from '../../test/hosts/support/host/run-host.ts';
import { createSandbox, type Sandbox } from '../../test/hosts/support/host/sandbox.ts';
import { type FakeLlm, startFakeLlm } from '../../test/hosts/support/llm/fake-llm.ts';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { type CollectorProcess, startCollector } from './collector-process.ts';
import { cpuSecondsOfEndedChildren } from './proc.ts';
import { differences, mean, median, spread } from './statistics.ts';

const startMsMax = 15;
const endMsMax = 5;
/** The file that users load; `npm install` has built its bundle. */
const extension = new URL('../../extension/load.cjs', import.meta.url).pathname;

export const hosts: Benchmark = {
  name: 'hosts',
  budget:
    `the extension adds <= ${startMsMax} ms to a host's start ` +
    `and <= ${endMsMax} ms to its exit, beside an empty one (loopback)`,
  async run(options) {
    buildExtension();
    const rows: Row[] = [];
    for (const host of allHosts) rows.push(...(await measureHost(host, options)));
    return rows;
  },
};

const bareName = 'none';
const emptyName = 'an empty extension';

interface Variant {
  readonly name: string;
  /** The argument of `-e`. */
  readonly extension: string | null;
  readonly env: Readonly<Record<string, string>>;
}

interface Phases {
  readonly startMs: number;
  readonly endMs: number;
  /** CPU time of the whole run. */
  readonly cpuMs: number;
}

async function measureHost(host: Host, { runs }: BenchOptions): Promise<Row[]> {
  await ensureHost(host);
  const llm = await startFakeLlm();
  const sandbox = createSandbox({ host, llm, git: true });
  const collectors: CollectorProcess[] = [];
  const begin = async (home: string): Promise<CollectorProcess> => {
    mkdirSync(home, { recursive: true });
    const collector = await startCollector({ home });
    collectors.push(collector);
    return collector;
  };
  try {
    const [reading, remote] = [
      await begin(join(sandbox.root, 'reading')),
      await begin(join(sandbox.root, 'remote')),
    ];
    // It proves its identity as the collector of this home, but does not read its spool.
    mkdirSync(join(sandbox.root, 'http'), { recursive: true });
    copyFileSync(join(sandbox.root, 'remote', 'home.key'), join(sandbox.root, 'http', 'home.key'));
    const empty = join(sandbox.root, 'empty.cjs');
    writeFileSync(empty, 'module.exports = () => undefined;\n');
    const variants = [
      { name: bareName, extension: null, env: {} },
      { name: emptyName, extension: empty, env: {} },
      {
        name: 'collector reads the spool',
        extension,
        env: { PI_LEDGER_HOME: join(sandbox.root, 'reading'), PI_LEDGER_URL: reading.url },
      },
      {
        name: 'collector over HTTP only',
        extension,
        env: { PI_LEDGER_HOME: join(sandbox.root, 'http'), PI_LEDGER_URL: remote.url },
      },
      // The discard port has no listener.
      {
        name: 'no collector',
        extension,
        env: { PI_LEDGER_HOME: join(sandbox.root, 'alone'), PI_LEDGER_URL: 'http://127.0.0.1:9' },
      },
    ];
    return rowsOf(host, await byTurns(variants, runs, { llm, sandbox }));
  } finally {
    for (const collector of collectors) await collector.stop();
    await sandbox.dispose();
    await llm.close();
  }
}

interface Stage {
  readonly llm: FakeLlm;
  readonly sandbox: Sandbox;
}

async function byTurns(
  variants: readonly Variant[],
  runs: number,
  stage: Stage,
): Promise<ReadonlyMap<string, Phases[]>> {
  const phases = new Map(variants.map(({ name }) => [name, [] as Phases[]]));
  // Round 0 fills the caches of compiled code.
  for (let round = 0; round <= runs; round += 1) {
    // Each variant comes first equally often.
    for (let turn = 0; turn < variants.length; turn += 1) {
      const variant = variants[(round + turn) % variants.length] as Variant;
      const taken = await runOnce(variant, stage);
      if (round > 0) phases.get(variant.name)?.push(taken);
    }
  }
  return phases;
}

async function runOnce(variant: Variant, { llm, sandbox }: Stage): Promise<Phases> {
  let askedMs: number | null = null;
  const forget = llm.onRequest(() => {
    askedMs ??= performance.now();
  });
  try {
    const cpuSeconds = await cpuSecondsOfEndedChildren();
    const startedMs = performance.now();
    const host = startPrint(sandbox, {
      prompt: 'SCN:simple',
      env: variant.env,
      ...(variant.extension === null ? {} : { extension: variant.extension }),
    });
    const endedMs = new Promise<number>((resolve) =>
      host.child.once('exit', () => resolve(performance.now())),
    );
    const { exitCode, stderr } = await host.done;
    if (exitCode !== 0 || askedMs === null)
      throw new Error(
        `${sandbox.host.name} (${variant.name}) ended with ${exitCode}\n${stderr.slice(-2_000)}`,
      );
    const cpuMs = ((await cpuSecondsOfEndedChildren()) - cpuSeconds) * 1_000;
    return { startMs: askedMs - startedMs, endMs: (await endedMs) - askedMs, cpuMs };
  } finally {
    forget();
  }
}

function rowsOf(host: Host, phases: ReadonlyMap<string, readonly Phases[]>): Row[] {
  const named = (name: string) => phases.get(name) ?? [];
  return [...phases].slice(1).flatMap(([name, taken]) => {
    const beside = name === emptyName ? bareName : emptyName;
    const row = (what: string, phase: keyof Phases, max: number | null): Row => {
      const of = (each: readonly Phases[]) => each.map((one) => one[phase]);
      const added = differences(of(taken), of(named(beside)));
      // CPU time has a resolution of 10 ms: only many runs together say more.
      const middle = phase === 'cpuMs' ? mean : median;
      const note =
        `${middle(of(named(beside))).toFixed(0)} ms with ${beside}; ` +
        `middle half of the differences ${spread(added)}`;
      const budget = max === null || name === emptyName ? {} : { budget: { max } };
      return {
        what: `${host.name} ${what}, ${name}`,
        measured: middle(added),
        unit: 'ms',
        ...budget,
        note,
      };
    };
    return [
      row('start', 'startMs', startMsMax),
      row('exit', 'endMs', endMsMax),
      row('processor', 'cpuMs', null),
    ];
  });
}
