/** Which command reaches this installation, from any folder. */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { commands } from '../../../collector/cli/commands/registry.ts';
import { ownCommand, withCommand } from '../../../collector/process/own-command.ts';
import { temporaryDirectory } from '../support/directory.ts';

const root = temporaryDirectory();

/** A program at `path` below the root, and the folders of links to it. */
function installed(path: string, ...folders: readonly string[]) {
  const program = join(root, path, 'bin', 'pi-ledger.mjs');
  mkdirSync(join(program, '..'), { recursive: true });
  writeFileSync(program, '');
  const linked = folders.map((each) => join(root, path, each));
  for (const folder of linked) {
    mkdirSync(folder, { recursive: true });
    symlinkSync(program, join(folder, 'pi-ledger'));
  }
  return { program, PATH: linked.join(delimiter) };
}

it('by its name, where the PATH leads to it', () => {
  const { program, PATH } = installed('global', 'links');
  expect(ownCommand({ PATH: `/nowhere${delimiter}${PATH}` }, program)).toBe('pi-ledger');
});

it('by its path, where the PATH leads to another installation first', () => {
  const { program, PATH } = installed('here', 'links');
  const other = installed('other', 'links');
  expect(ownCommand({ PATH: [other.PATH, PATH].join(delimiter) }, program)).toBe(`node ${program}`);
});

it('by its path, where npm alone knows its name, below the home with ~', () => {
  const { program, PATH } = installed('checkout/collector', 'node_modules/.bin');
  expect(ownCommand({ PATH, npm_command: 'exec' }, program)).toBe(`node ${program}`);
  expect(ownCommand({ PATH, HOME: root }, program)).toBe(
    'node ~/checkout/collector/bin/pi-ledger.mjs',
  );
});

it("as one word of a shell: quoted, where a folder's name needs it", () => {
  const { program } = installed("ada's code/collector");
  expect(ownCommand({ PATH: '', HOME: root }, program)).toBe(
    `node '${program.replace("'", "'\\''")}'`,
  );
});

it('by npx, where npx keeps it, or a copy that init made of that', () => {
  const kept = '/home/ada/.npm/_npx/1a2b/node_modules/@pi-ledger/collector/bin/pi-ledger.mjs';
  expect(ownCommand({ PATH: '' }, kept)).toBe('npx @pi-ledger/collector');
  const copy = '/home/ada/.pi-ledger/app/node_modules/@pi-ledger/collector/bin/pi-ledger.mjs';
  expect(ownCommand({ PATH: '', HOME: '/home/ada' }, copy)).toBe('npx @pi-ledger/collector');
});

it('runs as it is printed, in any folder', async () => {
  const line = `${ownCommand({ PATH: '' })} --version`;
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd: root });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
});

it('replaces commands in a text, and no other use of the name', () => {
  const typed = (text: string) => withCommand(text, 'node x');
  expect(typed('`pi-ledger import` lists them; or pi-ledger export-otel')).toBe(
    '`node x import` lists them; or node x export-otel',
  );
  for (const text of [
    'ledger.db is not a pi-ledger store',
    'this version of pi-ledger only supports 3',
    'npx @pi-ledger/collector start',
    'run `pi-ledger starts`',
  ])
    expect(typed(text)).toBe(text);
});

it('knows every command', () => {
  const program = new Command();
  const terminal = { env: {} } as Parameters<(typeof commands)[number]['define']>[1];
  for (const command of commands) command.define(program, terminal, () => undefined);
  for (const { name } of program.commands.map((each) => ({ name: each.name() })))
    expect(withCommand(`pi-ledger ${name}`, 'node x')).toBe(`node x ${name}`);
});
