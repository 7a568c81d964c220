/** Subagents whose sessions do not say which agent they are of: their parents' tool results do. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { commandLine } from '../../reconcile/support/command-line.ts';
import { corpusDirectory } from '../../reconcile/support/corpus.ts';
import { filesBelow } from '../../reconcile/support/package-corpus.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const root = temporaryDirectory();
const recorded = join(corpusDirectory, 'packages', 'pi-subagents-0.67.0');

/** The recording's files, none of which names its agent itself. */
function unnamed(scenario: string) {
  const from = join(recorded, scenario, 'home');
  const home = mkdtempSync(join(root, 'home-'));
  cpSync(from, home, { recursive: true, filter: (path) => !path.endsWith('.jsonl') });
  const ledger = commandLine(root, {}, home, new Date('2026-11-29T12:00:00Z'));
  const files = filesBelow(from, '.jsonl');
  const arrive = async (file: string) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const path = join(home, relative(from, file));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines.filter((line) => !line.includes('"session_info"')).join('\n'));
    await ledger.run('import');
  };
  return { ledger, files, arrive };
}

it.each([
  ['single', ['scout'], (files: readonly string[]) => files],
  ['single', ['scout'], (files: readonly string[]) => files.toReversed()],
  ['nested', ['boss', 'scout'], (files: readonly string[]) => files],
  ['nested', ['boss', 'scout'], (files: readonly string[]) => files.toReversed()],
])('%s: are called as these call them (%s), whichever comes first', async (...given) => {
  const [scenario, agents, ordered] = given;
  const { ledger, files, arrive } = unnamed(scenario);
  for (const file of ordered(files)) await arrive(file);
  const { rows } = JSON.parse((await ledger.run('sessions', '--json')).printed) as {
    readonly rows: readonly {
      readonly relation: string | null;
      readonly agentName: string | null;
    }[];
  };
  const named = rows.filter(({ relation }) => relation === 'subagent');
  expect(named.map(({ agentName }) => agentName).toSorted()).toEqual(agents);
  expect(rows.filter(({ relation }) => relation === null)).toMatchObject([{ agentName: null }]);
  const tree = (await ledger.run('sessions', '--tree')).printed;
  for (const agent of agents) expect(tree).toContain(`subagent ${agent}`);
});
