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
  corpusCases,
  sessionDirectories,
} from '../collector/reconcile/support/corpus.ts';
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
const cases = corpusCases().filter(
  ({ name }) => values.only.length === 0 || values.only.includes(name),
);

const cells: string[][] = [];
for (const each of cases)
  cells.push([each.name, ...(await Promise.all(tools.map((tool) => cellOf(tool, each))))]);
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
process.exitCode = scores[0] === `**${cases.length} of ${cases.length}**` ? 0 : 1;

async function cellOf(tool: Tool, each: CorpusCase): Promise<string> {
  if (!each.hosts.every((host) => tool.hosts.includes(host))) return 'n/a';
  if (each.sameDirectoryTwice && !tool.takesDirectories) return 'n/a';
  if (asksMore(each) && tool.wrongAnswers === undefined) return 'n/a';
  const home = mkdtempSync(join(tmpdir(), 'accounting-corpus-'));
  try {
    cpSync(each.home, home, { recursive: true });
    const once = sessionDirectories({ ...each, home });
    const directories = each.sameDirectoryTwice ? [...once, ...once] : once;
    const verdict = verdictOn(
      await tool.totals({ home, directories, config: each.config ?? {} }),
      each,
    );
    const wrong = asksMore(each) ? ((await tool.wrongAnswers?.(home, each)) ?? []) : [];
    return wrong.length === 0 ? verdict : [verdict, ...wrong].join(', ');
  } catch (error) {
    console.error(`${tool.name} on ${each.name}: ${(error as Error).message}`);
    return 'failed';
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function verdictOn(said: ToolTotals, { totals }: CorpusCase): string {
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
  const sum = (of: ToolTotals | CorpusCase['totals']) =>
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
