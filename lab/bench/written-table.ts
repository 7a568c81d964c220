/**
 * The one table of lab/benchmarks.md: of each benchmark the rows of its last run, which stay as
 * lines in the cache (kept-lines.ts), so that a busy day may measure it in parts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Row } from './benchmark.ts';
import { type KeptLines, keptLines, type Stamp } from './kept-lines.ts';
import { cellsOf, titles } from './table.ts';

interface Measured {
  readonly name: string;
  readonly rows: readonly Row[];
}

const [begin, end] = ['<!-- measured -->', '<!-- /measured -->'];
const page = fileURLToPath(new URL('../benchmarks.md', import.meta.url));

export function keepRows(measured: Measured): void {
  kept().add(measured);
}

/** Throws if the page has no place for it. `names` in the order of the table. */
export function writeTable(names: readonly string[]): void {
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no ${begin} ... ${end}`);
  const lines = tableOf(names, kept().all());
  writeFileSync(page, `${text.slice(0, from)}${begin}\n${lines.join('\n')}\n${text.slice(to)}`);
}

/** Of runs in their order. A benchmark that was never kept has a row that says so. */
export function tableOf(
  names: readonly string[],
  runs: readonly (Measured & Stamp)[],
): readonly string[] {
  const last = new Map(runs.map((run) => [run.name, run]));
  const head = ['benchmark', ...titles];
  return [
    lineOf(head),
    `|${'---|'.repeat(head.length)}`,
    ...names.flatMap((name) => rowsOf(name, last.get(name))),
  ];
}

function rowsOf(name: string, run: (Measured & Stamp) | undefined): string[] {
  if (run === undefined)
    return [lineOf([`\`${name}\``, 'not measured', ...titles.slice(1).map(() => '')])];
  const { at, commit, load, rows } = run;
  const when = `\`${name}\`, ${at.slice(0, 10)}, ${commit}, load ${Math.round(load)}`;
  return rows.map((row, index) => lineOf([index === 0 ? when : '', ...cellsOf(row)]));
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function kept(): KeptLines<Measured> {
  return keptLines<Measured>('table');
}
