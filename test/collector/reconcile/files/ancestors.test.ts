/** Which sessions one was forked from, as far as headers of files say. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isNamedAncestor } from '../../../../collector/reconcile/files/ancestors.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { readFacts } from '../support/read-facts.ts';
import { header, writeFile } from '../support/two-sides.ts';

const directory = temporaryDirectory();

it.each<[is: boolean, candidate: string, what: string, parents: Record<string, string>]>([
  [true, 'a', 'its parent', { fork: 'a' }],
  [true, 'a', 'a parent without a file, named by a path', { fork: '/s/time_a.jsonl' }],
  [true, 'my_run_1', 'one whose id its user chose', { fork: '/s/time_my_run_1.jsonl' }],
  [false, '1', '... not its last word', { fork: '/s/time_my_run_1.jsonl' }],
  [true, 'a', 'a parent’s parent', { fork: '/s/time_b.jsonl', b: 'a' }],
  [true, 'a', 'one named by a path in an odd directory', { fork: '/s/time_b.jsonl/time_a.jsonl' }],
  [false, 'b', '... not that directory', { fork: '/s/time_b.jsonl/time_a.jsonl' }],
  [false, 'a', 'one whose parent’s file is gone', { fork: 'b' }],
  [false, 'fork', 'its own child', { child: 'fork', fork: 'b', b: 'c' }],
  [false, 'a', 'nobody, where forks name each other', { fork: 'b', b: 'fork' }],
])('says %s of %s: %s', (is, candidate, _what, parents) => {
  const root = mkdtempSync(join(directory, 'ancestors-'));
  for (const [id, parent] of Object.entries(parents))
    writeFile(root, `${id}.jsonl`, [header(id, 0, parent)]);
  expect(isNamedAncestor(readFacts([root]), 'fork', candidate)).toBe(is);
});
