/** A subagent's file that comes after the seal, while its parent's sealed totals have its spend. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  answer,
  append,
  newSession,
  toolCall,
  usage,
} from '../../extension/support/fake-session.ts';
import { writeSession } from '../importers/support/files.ts';
import { at, childAt, of40and60, placeBelow, result } from '../importers/support/private-family.ts';
import { commandLines } from '../support/command-lines.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory();
const commandLine = commandLines();

/** Calls a tool that says what its subagent spent, and names its file. */
function parentSaying(spent: object) {
  const parent = newSession('parent', at(0));
  append(parent, 'b', at(11), answer('b', { content: [toolCall('c', 'subagent')] }));
  const details = { results: [{ sessionFile: `/x/${placeBelow(parent)}` }] };
  append(parent, 't', at(18), result({ usage: spent, details }));
  return parent;
}

it.each([
  ['is in the totals by its parent’s claim: nobody is alarmed', of40and60, 0, false],
  ['... nor by a running collector', of40and60, 0, true],
  ['is told if the claim has less', usage(50), 1, false],
  ['... by a running collector, too', usage(50), 1, true],
])('a subagent whose file comes after the seal %s', async (_what, spent, code, isServed) => {
  const sessions = mkdtempSync(join(directory, 'sessions-'));
  const line = commandLine();
  const parent = parentSaying(spent);
  writeSession(sessions, parent);
  writeSession(sessions, childAt(5 * 24 * 60, 'newer'));
  await line.run('import', '--pi', sessions);
  await line.run('seal', '--before', '2026-11-25');
  writeSession(sessions, childAt(12), placeBelow(parent));
  if (isServed) await line.start({ import: false });
  for (const _ of ['first', 'again']) {
    const imported = await line.run('import', '--pi', sessions);
    expect(imported.code).toBe(code);
    expect(imported.printed + imported.complained).toMatch(
      code === 0 ? /^((?!in no total).)*$/s : /in no total/,
    );
    expect((await line.run('reconcile', '--pi', sessions)).code).toBe(code);
  }
});
