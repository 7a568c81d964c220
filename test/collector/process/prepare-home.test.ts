/** What keeps a collector from its home is named. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prepareHome } from '../../../collector/process/prepare-home.ts';
import { temporaryDirectory } from '../support/directory.ts';

it('names the file in whose place a folder lies', async () => {
  const home = temporaryDirectory();
  mkdirSync(join(home, 'home.key'));
  const others: unknown[] = [];
  await expect(prepareHome(home, (error) => others.push(error))).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringMatching(/home\.key cannot be used: it is a folder, not a file\. Move/),
  });
  expect(others).toEqual([]);
});
