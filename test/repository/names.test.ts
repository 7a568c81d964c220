/**
 * The name without a scope may belong to anybody: no text, hint or script runs it, and packages are
 * named with their scope.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifests = ['collector', 'extension', '.'].map((folder) => manifestIn(folder));

it('no line fetches and runs the package `pi-ledger`', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(isText);
  expect(files.length).toBeGreaterThan(500);
  const commands = [
    'npx|npm exec|npm x|bunx|pnpm dlx|yarn dlx',
    'npm (i|install)|pi install npm:|omp plugin install',
  ].join('|');
  const runs = new RegExp(`(${commands})( -\\S+)* ?pi-ledger\\b`);
  expect(files.filter((file) => runs.test(readFileSync(`${root}/${file}`, 'utf8')))).toEqual([]);
});

it('both packages and the workspace have one version, and the same license', () => {
  expect(new Set(manifests.map(({ version }) => version)).size).toBe(1);
  for (const folder of ['collector', 'extension'])
    expect(textIn(`${folder}/LICENSE`)).toBe(textIn('LICENSE'));
});

/** This file and a decision mention it; a changelog is history. */
function isText(file: string): boolean {
  return (
    /\.(ts|mjs|cjs|md|json|yml|sh|run|example)$|^\.ci\/|Dockerfile/.test(file) &&
    !/names\.test\.ts$|^docs\/decisions\/0024|package-lock/.test(file)
  );
}

function manifestIn(folder: string): { readonly version: string } {
  return JSON.parse(textIn(`${folder}/package.json`));
}

function textIn(path: string): string {
  return readFileSync(`${root}/${path}`, 'utf8');
}
