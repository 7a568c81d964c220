/** Writes the table of scores into docs/mutation.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Folder, filesOf, folders } from './folders.ts';
import { type FileResult, readResult, scoreOf } from './results.ts';

const [begin, end] = ['<!-- scores -->', '<!-- /scores -->'];

/** Throws if the page has no place for it. */
export function writeScores(root: string): void {
  const path = join(root, 'docs/mutation.md');
  const page = readFileSync(path, 'utf8');
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${path} has no ${begin} ... ${end}`);
  const rows = folders.map((folder) => rowOf(folder, root));
  const head = [
    '| folder | aim | score | noticed | survived | not tried | files measured |',
    '|---|---|---|---|---|---|---|',
  ];
  writeFileSync(
    path,
    `${page.slice(0, from)}${begin}\n${[...head, ...rows].join('\n')}\n${page.slice(to)}`,
  );
}

function rowOf(folder: Folder, root: string): string {
  const files = filesOf(folder, root);
  const results = files
    .map((file) => readResult(root, file))
    .filter((result) => result?.isCurrent === true) as FileResult[];
  const sum = (count: (result: FileResult) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  const measured =
    results.length === files.length
      ? `all ${files.length}`
      : `${results.length} of ${files.length}`;
  const score = results.length === 0 ? 'not measured' : `${scoreOf(results).toFixed(1)} %`;
  const figures = [
    sum(({ noticed }) => noticed),
    sum(({ survivors }) => survivors.length),
    sum(({ leftOut }) => leftOut),
  ];
  const cells = [`\`${folder.name}\``, `${folder.scoreMin} %`, score, ...figures, measured];
  return `| ${cells.join(' | ')} |`;
}
