/** Which command an agent names for the collector, from any project's folder. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noteCommand } from '../../../collector/process/command-file.ts';
import { collectorCommand } from '../../../extension/command/collector-command.ts';
import { temporaryDirectory } from '../../collector/support/directory.ts';

const root = temporaryDirectory();

function folder(name: string): string {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  return path;
}

function program(at: string): string {
  const path = join(folder(join(at, 'collector', 'bin')), 'pi-ledger.mjs');
  writeFileSync(path, '');
  return path;
}

it('that of the collector which ran on this home last, also when it has stopped', () => {
  const home = folder('noted');
  noteCommand(home, {}, (error) => {
    throw error;
  });
  expect(collectorCommand(home, folder('alone'))).toBe('pi-ledger');
});

it('that of its own checkout, where none has run, or its files are gone', () => {
  const own = program('checkout');
  const inside = folder('checkout/extension/dist');
  expect(collectorCommand(folder('new'), inside)).toBe(`node ${own}`);
  const gone = program('gone');
  const home = folder('stale');
  writeFileSync(join(home, 'command.json'), JSON.stringify({ command: 'x', program: gone }));
  expect(collectorCommand(home, inside)).toBe('x');
  rmSync(gone);
  expect(collectorCommand(home, inside)).toBe(`node ${own}`);
});

it('that of the registry, where the extension is installed alone', () => {
  expect(collectorCommand(folder('new'), folder('alone'))).toBe('npx @pi-ledger/collector');
});

it('takes no word of a damaged note', () => {
  const home = folder('damaged');
  for (const text of ['', 'null', '{"command":"x"}', '{"command":7,"program":"/"}']) {
    writeFileSync(join(home, 'command.json'), text);
    expect(collectorCommand(home, folder('alone'))).toBe('npx @pi-ledger/collector');
  }
});
