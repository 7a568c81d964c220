/** Sessions of one id that a user chose, in several directories (`pi --session-id nightly`). */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { compared } from './support/compared.ts';
import { aLedger, event, header, line, writeFile } from './support/two-sides.ts';

const directory = temporaryDirectory();
const one = { id: 'a1', second: 1 };
const two = { id: 'a2', second: 11, input: 20 };

const begun = (second: number, cwd: string | undefined) => ({ ...header('nightly', second), cwd });

it.each([
  ['of two directories: whose spend is whose is not known', '/shop', 10, '/blog', true],
  ['of one directory: they belong together', '/shop', 10, '/shop', false],
  ['of a moved copy, which began when its original did', '/shop', 0, '/blog', false],
  ['of a header that names no directory', '/shop', 10, undefined, false],
  ['of a first header that names none', undefined, 10, '/shop', false],
])('sessions that share an id, %s', async (_what, first, second, other, isFault) => {
  const root = mkdtempSync(join(directory, 'shared-'));
  const file = writeFile(root, 'shop/a.jsonl', [begun(0, first), line(one)]);
  writeFile(root, 'blog/b.jsonl', [begun(second, other), line(two)]);
  const ledger = aLedger({ events: [event('nightly', one), event('nightly', two)] });
  const { isExplained, sessions } = await compared(root, ledger);
  expect(isExplained).toBe(!isFault);
  const differences = sessions.flatMap((session) => session.differences);
  const shared = { reason: 'id_shared', explained: false, count: 2, file };
  expect(differences).toEqual(isFault ? [shared] : []);
});
