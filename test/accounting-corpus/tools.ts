/**
 * The scored tools: how each one is started on a home directory, and where it prints its totals.
 *
 * Other projects' tools are taken from a directory where `npm install` put them; none is a
 * dependency of this project. A tool is asked only for what it claims to read: `hosts` is what its
 * own help names.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { CorpusCase } from '../collector/reconcile/support/corpus.ts';
import { eventsOf, type Program, wrongAnswers } from './answers.ts';

export interface ToolTotals {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd: number;
}

interface Run {
  /** A copy of the case's home directory; tools may write to it. */
  readonly home: string;
  /** Its session directories by host; one of them twice if the case is about that. */
  readonly directories: readonly { readonly host: 'pi' | 'omp'; readonly directory: string }[];
  readonly config: object;
}

/** Contract: `totals` rejects when the tool fails; it does not say why a tool counts as it does. */
export interface Tool {
  readonly name: string;
  readonly version: string;
  readonly hosts: readonly ('pi' | 'omp')[];
  /** It takes directories, so the same one can be named twice. */
  readonly takesDirectories: boolean;
  totals(run: Run): Promise<ToolTotals>;
  /** After `totals` in this home: what it answers wrong. Only of a tool that can be asked. */
  wrongAnswers?(home: string, each: CorpusCase): Promise<readonly string[]>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

export function piLedger(): Tool {
  return {
    name: 'pi-ledger',
    version: versionIn(join(root, 'collector')),
    hosts: ['pi', 'omp'],
    takesDirectories: true,
    async totals({ home, directories, config }) {
      const ledgerHome = join(home, '.pi-ledger');
      mkdirSync(ledgerHome, { recursive: true });
      writeFileSync(join(ledgerHome, 'config.json'), JSON.stringify(config));
      const bin = join(root, 'collector/bin/pi-ledger.mjs');
      const named = directories.flatMap(({ host, directory }) => [`--${host}`, directory]);
      await run(process.execPath, [bin, 'import', ...named], home);
      const { total } = JSON.parse(
        await run(process.execPath, [bin, 'report', '--json'], home),
      ) as {
        total: Record<string, number | string>;
      };
      const nanoUsd = ['meteredNanoUsd', 'subscriptionNanoUsd', 'unknownBillingNanoUsd'].reduce(
        (sum, name) => sum + Number(total[name]),
        0,
      );
      return {
        inputTokens: Number(total.inputTokens),
        outputTokens: Number(total.outputTokens),
        cacheReadTokens: Number(total.cacheReadTokens),
        cacheWriteTokens: Number(total.cacheWriteTokens),
        costUsd: nanoUsd / 1e9,
      };
    },
    async wrongAnswers(home, each) {
      const bin = join(root, 'collector/bin/pi-ledger.mjs');
      const program: Program = (...argv) => run(process.execPath, [bin, ...argv], home);
      const events = eventsOf(each);
      if (events !== null) await program('import-events', events);
      for (const argv of each.afterwards ?? []) await program(...argv);
      return wrongAnswers(program, each);
    },
  };
}

/** The tools in `directory`. */
export function peersIn(directory: string): readonly Tool[] {
  const has = (name: string) => existsSync(join(directory, 'node_modules', name, 'package.json'));
  return [
    ...(has('ccusage') ? [ccusage(directory)] : []),
    ...(has('@ccusage/pi') ? [ccusagePi(directory)] : []),
    ...(has('tokscale') ? [tokscale(directory)] : []),
    ...(has('@oh-my-pi/omp-stats') ? [ompStats(directory)] : []),
  ];
}

function ccusage(directory: string): Tool {
  return {
    name: 'ccusage pi',
    version: versionIn(join(directory, 'node_modules/ccusage')),
    hosts: ['pi'],
    takesDirectories: true,
    async totals({ home, directories }) {
      const paths = directories.map(({ directory: path }) => path).join(',');
      const args = ['pi', 'daily', '--json', '--offline', '--timezone', 'UTC', '--pi-path', paths];
      return ccusageTotals(await run(join(directory, 'node_modules/.bin/ccusage'), args, home));
    },
  };
}

function ccusagePi(directory: string): Tool {
  return {
    name: '@ccusage/pi',
    version: versionIn(join(directory, 'node_modules/@ccusage/pi')),
    hosts: ['pi'],
    takesDirectories: false,
    async totals({ home }) {
      return ccusageTotals(
        await run(
          join(directory, 'node_modules/.bin/ccusage-pi'),
          ['daily', '--json', '--timezone', 'UTC'],
          home,
        ),
      );
    },
  };
}

function ccusageTotals(printed: string): ToolTotals {
  const { totals } = JSON.parse(printed) as { totals?: Record<string, number> };
  return {
    inputTokens: totals?.inputTokens ?? 0,
    outputTokens: totals?.outputTokens ?? 0,
    cacheReadTokens: totals?.cacheReadTokens ?? 0,
    cacheWriteTokens: totals?.cacheCreationTokens ?? 0,
    costUsd: totals?.totalCost ?? 0,
  };
}

function tokscale(directory: string): Tool {
  return {
    name: 'tokscale',
    version: versionIn(join(directory, 'node_modules/tokscale')),
    hosts: ['pi'],
    takesDirectories: false,
    async totals({ home }) {
      writePrices(join(home, '.cache/tokscale'));
      const printed = await run(
        join(directory, 'node_modules/.bin/tokscale'),
        ['models', '--pi', '--json', '--no-spinner'],
        home,
      );
      const report = JSON.parse(printed) as Record<string, number>;
      return {
        inputTokens: report.totalInput ?? 0,
        outputTokens: report.totalOutput ?? 0,
        cacheReadTokens: report.totalCacheRead ?? 0,
        cacheWriteTokens: report.totalCacheWrite ?? 0,
        costUsd: report.totalCost ?? 0,
      };
    },
  };
}

/** tokscale downloads prices; this fills its cache with the list prices of the corpus instead. */
function writePrices(cache: string): void {
  const perToken = (input: number, output: number, cacheRead: number, cacheWrite: number) => ({
    input_cost_per_token: input / 1e6,
    output_cost_per_token: output / 1e6,
    cache_read_input_token_cost: cacheRead / 1e6,
    cache_creation_input_token_cost: cacheWrite / 1e6,
  });
  const timestamp = Math.floor(Date.now() / 1000);
  const data = {
    'claude-sonnet-4-5': perToken(3, 15, 0.3, 3.75),
    'gpt-5.1': perToken(1.25, 10, 0.125, 0),
  };
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'pricing-litellm.json'), JSON.stringify({ timestamp, data }));
  writeFileSync(join(cache, 'pricing-openrouter.json'), JSON.stringify({ timestamp, data: {} }));
}

function ompStats(directory: string): Tool {
  return {
    name: 'omp-stats',
    version: versionIn(join(directory, 'node_modules/@oh-my-pi/omp-stats')),
    hosts: ['omp'],
    takesDirectories: false,
    async totals({ home }) {
      const module = JSON.stringify(
        join(directory, 'node_modules/@oh-my-pi/omp-stats/src/index.ts'),
      );
      // Its command line shows only the last 24 hours; this calls the same function for all time.
      const script = [
        `const { syncAllSessions, getDashboardStats } = await import(${module});`,
        'await syncAllSessions();',
        "console.log(JSON.stringify((await getDashboardStats('all')).overall));",
      ].join(' ');
      const overall = JSON.parse(
        await run(join(directory, 'node_modules/.bin/bun'), ['-e', script], home),
      ) as Record<string, number>;
      return {
        inputTokens: overall.totalInputTokens ?? 0,
        outputTokens: overall.totalOutputTokens ?? 0,
        cacheReadTokens: overall.totalCacheReadTokens ?? 0,
        cacheWriteTokens: overall.totalCacheWriteTokens ?? 0,
        costUsd: overall.totalCost ?? 0,
      };
    },
  };
}

/**
 * Any other tool: a shell command that prints `{inputTokens, outputTokens, cacheReadTokens,
 * cacheWriteTokens, costUsd}` for the home it runs in.
 */
export function otherTool(name: string, command: string): Tool {
  return {
    name,
    version: '',
    hosts: ['pi', 'omp'],
    takesDirectories: false,
    totals: async ({ home }) => JSON.parse(await run('sh', ['-c', command], home)) as ToolTotals,
  };
}

const outputBytesMax = 16 * 1024 * 1024;
const runMsMax = 600_000;

async function run(program: string, args: readonly string[], home: string): Promise<string> {
  const env = {
    PATH: `${join(program, '..')}:${process.env.PATH ?? ''}`,
    HOME: home,
    TZ: 'UTC',
    NO_COLOR: '1',
  };
  const { stdout } = await promisify(execFile)(program, [...args], {
    env,
    cwd: home,
    maxBuffer: outputBytesMax,
    timeout: runMsMax,
  });
  return stdout;
}

function versionIn(directory: string): string {
  return (JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string })
    .version;
}
