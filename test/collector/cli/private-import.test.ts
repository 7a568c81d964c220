/** An import into a running collector that learns that what it imported before is private. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeSession } from '../importers/support/files.ts';
import { childAt, parentWith, placeBelow } from '../importers/support/private-family.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { sentSpend } from '../support/sent-spend.ts';

const directory = temporaryDirectory();
const running = sentSpend();
const parent = parentWith({});

it('takes it back on this machine, though the collector runs', async () => {
  const line = await running();
  const sessions = mkdtempSync(join(directory, 'sessions-'));
  writeSession(sessions, childAt(12), placeBelow(parent));
  await line.run('import', '--pi', sessions);
  expect(Object.keys(await line.spending())).toEqual(['child']);
  writeSession(sessions, parent);
  const { code, complained } = await line.run('import', '--pi', sessions);
  expect(code).toBe(0);
  expect(complained).toContain('session child is taken back');
  await expect.poll(async () => Object.keys(await line.spending())).toEqual(['parent']);
  expect((await line.run('import', '--pi', sessions)).complained).toBe('');
});

it('without the right to, says what happened and who takes it back, every time', async () => {
  const line = await running({ auth: 'required' });
  Object.assign(line.env, { PI_LEDGER_URL: line.url, PI_LEDGER_TOKEN: line.tokens[0]?.token });
  const sessions = mkdtempSync(join(directory, 'sessions-'));
  const file = writeSession(sessions, childAt(12), placeBelow(parent));
  await line.run('import', '--pi', sessions);
  writeSession(sessions, parent);
  for (const isThere of [true, false]) {
    if (!isThere) rmSync(file);
    const { code, complained } = await line.run('import', '--pi', sessions);
    expect(code).toBe(0);
    expect(complained).toMatch(/private, .* imported before .*and still in the totals/);
    expect(complained).toContain('withdraw session child --reason private`');
  }
});
