/**
 * Scores tools against the corpus: `npm run corpus -- [--peers DIRECTORY] [--tool
 * 'NAME=COMMAND']... [--only CASE]...`
 *
 * Each case runs in a copy of its home directory. A cell is `ok` if all four kinds of tokens and
 * the cost are right, otherwise the tool's figures in relation to the truth; `n/a` if the tool does
 * not claim to read the case's host.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type CorpusCase,
  type CorpusTotals,
  corpusCases,
  sessionDirectories,
} from '../collector/reconcile/support/corpus.ts';
import {
  type PackageCase,
  packageCases,
  rightTotals,
} from '../collector/reconcile/support/package-corpus.ts';
import { asksMore } from './answers.ts';
import { otherTool, peersIn, piLedger, type Tool, type ToolTotals } from './tools.ts';

const usdTolerance = 1e-9;

const { values } = parseArgs({
  options: {
    peers: { type: 'string' },
    tool: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
  },
});
const others = values.tool.map((given) =>
  otherTool(given.slice(0, given.indexOf('=')), given.slice(given.indexOf('=') + 1)),
);
const tools = [piLedger(), ...(values.peers === undefined ? [] : peersIn(values.peers)), ...others];
const isChosen = ({ name }: { readonly name: string }) =>
  values.only.length === 0 || values.only.includes(name);

const cells: string[][] = [];
for (const each of corpusCases().filter(isChosen))
  cells.push([each.name, ...(await Promise.all(tools.map((tool) => cellOf(tool, each))))]);
for (const each of packageCases().filter(isChosen))
  cells.push([each.name, ...(await Promise.all(tools.map((tool) => packageCell(tool, each))))]);
const scores = tools.map((_, index) => scoreOf(cells.map((row) => row[index + 1] ?? '')));
const heads = ['case', ...tools.map(({ name, version }) => `${name} ${version}`.trim())];
for (const row of [
  heads,
  heads.map((_, index) => (index === 0 ? '---' : ':--')),
  ...cells,
  ['**right**', ...scores],
]) {
  console.log(`| ${row.join(' | ')} |`);
}
process.exitCode = scores[0] === `**${cells.length} of ${cells.length}**` ? 0 : 1;

async function cellOf(tool: Tool, each: CorpusCase): Promise<string> {
  if (!each.hosts.every((host) => tool.hosts.includes(host))) return 'n/a';
  if (each.sameDirectoryTwice && !tool.takesDirectories) return 'n/a';
  if (asksMore(each) && tool.wrongAnswers === undefined) return 'n/a';
  return inCopy(tool, each, async (home) => {
    const once = sessionDirectories({ ...each, home });
    const directories = each.sameDirectoryTwice ? [...once, ...once] : once;
    const verdict = verdictOn(
      await tool.totals({ home, directories, config: each.config ?? {} }),
      each.totals,
    );
    const wrong = asksMore(each) ? ((await tool.wrongAnswers?.(home, each)) ?? []) : [];
    return wrong.length === 0 ? verdict : [verdict, ...wrong].join(', ');
  });
}

/** What the recording's files can say is right; what they cannot is in no tool's figures. */
async function packageCell(tool: Tool, each: PackageCase): Promise<string> {
  const { host } = each;
  if (!tool.hosts.includes(host)) return 'n/a';
  const { nanoUsd, ...counts } = rightTotals(each, 'import');
  const totals = { ...counts, costUsd: String(Number(nanoUsd) / 1e9), subscriptionUsd: '0' };
  return inCopy(tool, each, async (home) => {
    const path = each.directory ?? join(`.${host}`, 'agent', 'sessions');
    const directories = [{ host, directory: join(home, path) }];
    return verdictOn(await tool.totals({ home, directories, config: {} }), totals);
  });
}

/** Runs a tool in a copy of a case's home. */
async function inCopy(
  tool: Tool,
  each: { readonly name: string; readonly home: string },
  ask: (home: string) => Promise<string>,
): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'accounting-corpus-'));
  try {
    cpSync(each.home, home, { recursive: true });
    return await ask(home);
  } catch (error) {
    console.error(`${tool.name} on ${each.name}: ${(error as Error).message}`);
    return 'failed';
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

type TokenName = 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens';
type Truth = Pick<CorpusTotals, TokenName | 'costUsd' | 'subscriptionUsd'>;

function verdictOn(said: ToolTotals, totals: Truth): string {
  const tokenNames = [
    'inputTokens',
    'outputTokens',
    'cacheReadTokens',
    'cacheWriteTokens',
  ] as const;
  const costUsd = Number(totals.costUsd) + Number(totals.subscriptionUsd);
  const areTokensRight = tokenNames.every((name) => said[name] === totals[name]);
  const isCostRight = Math.abs(said.costUsd - costUsd) < usdTolerance;
  if (areTokensRight && isCostRight) return 'ok';
  const sum = (of: Pick<Truth, TokenName>) =>
    tokenNames.reduce((total, name) => total + of[name], 0);
  const tokens = areTokensRight ? '' : `tokens ${percent(sum(said), sum(totals))}`;
  const cost = isCostRight ? '' : `cost ${percent(said.costUsd, costUsd)}`;
  return [tokens, cost].filter((part) => part !== '').join(', ');
}

/** A total of 100 % with wrong parts is reported as wrong parts. */
function percent(said: number, truth: number): string {
  const text = `${truth === 0 ? '?' : Math.round((said / truth) * 100)} %`;
  return text === '100 %' ? 'in parts' : text;
}

function scoreOf(verdicts: readonly string[]): string {
  const asked = verdicts.filter((verdict) => verdict !== 'n/a');
  return `**${asked.filter((verdict) => verdict === 'ok').length} of ${asked.length}**`;
}
