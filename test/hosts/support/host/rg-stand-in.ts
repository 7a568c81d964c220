/**
 * pi's grep tool runs ripgrep from its own folder, from PATH, or downloads it; on a machine without
 * it, the tool fails. A small script in that folder makes the tool work the same everywhere.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from './hosts.ts';

/** omp has its own grep and needs none. */
export function writeRgStandIn(host: Host, home: string): void {
  if (host.family !== 'pi') return;
  const folder = join(home, '.pi', 'agent', 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'rg'), `#!${process.execPath}\n${script}`, { mode: 0o755 });
}

/** Answers `rg --json ... -- PATTERN DIRECTORY` for a folder of small text files. */
const script = `
const { readdirSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');
const [pattern, root] = process.argv.slice(-2);
const isGit = (name) => /(^|\\/)\\.git(\\/|$)/.test(name);
const names = readdirSync(root, { recursive: true }).sort().filter((name) => !isGit(name));
const paths = names.map((name) => join(root, name));
let found = false;
for (const path of paths.filter((each) => statSync(each).isFile())) {
  readFileSync(path, 'utf8').split('\\n').forEach((line, index) => {
    if (!new RegExp(pattern).test(line)) return;
    found = true;
    const data = { path: { text: path }, line_number: index + 1, lines: { text: line + '\\n' } };
    console.log(JSON.stringify({ type: 'match', data }));
  });
}
process.exitCode = found ? 0 : 1;
`;
