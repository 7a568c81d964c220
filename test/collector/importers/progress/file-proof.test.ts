/** The proof that a file still begins with what was read of it. */
import { closeSync, mkdtempSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { proveFile } from '../../../../collector/importers/progress/file-proof.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const path = join(mkdtempSync(join(temporaryDirectory(), 'proof-')), 'file');

/** In place, so the inode stays the same. */
function proof(bytes: Buffer, offset: number): string {
  writeFileSync(path, bytes);
  const descriptor = openSync(path, 'r');
  try {
    return proveFile(descriptor, offset);
  } finally {
    closeSync(descriptor);
  }
}

const bytes = (length: number, changedAt?: number, title = '') => {
  const all = Buffer.alloc(length, 'a');
  all.write(title);
  if (changedAt !== undefined) all.write('b', changedAt);
  return all;
};
const title = '{"type":"title"}';

it('is the same for a file that has grown', () => {
  expect(proof(bytes(20_000), 10_000)).toBe(proof(bytes(10_000), 10_000));
  expect(proof(bytes(20_000, 10_000), 10_000)).toBe(proof(bytes(10_000), 10_000));
});

it.each([0, 1, 4_095, 4_351, 5_904, 9_999])(
  'is another one when a byte has changed at the beginning or the end of it: %i',
  (at) => {
    expect(proof(bytes(20_000, at), 10_000)).not.toBe(proof(bytes(20_000), 10_000));
  },
);

it.each([1, 200, 255, 256, 4_096, 5_000])(
  'is another one when any byte of a short one has changed: %i',
  (length) => {
    const whole = proof(bytes(length), length);
    for (const at of [0, length - 1, Math.floor(length / 2)])
      expect(proof(bytes(length, at), length)).not.toBe(whole);
  },
);

it('does not look at the middle of a long one', () => {
  for (const at of [4_352, 5_903])
    expect(proof(bytes(20_000, at), 10_000)).toBe(proof(bytes(20_000), 10_000));
});

it('does not look at the title that omp rewrites in place, and at all behind it', () => {
  for (const length of [300, 4_000, 10_000]) {
    const titled = proof(bytes(20_000, undefined, title), length);
    expect(proof(bytes(20_000, 255, title), length)).toBe(titled);
    expect(proof(bytes(20_000, 20, title), length)).toBe(titled);
    expect(proof(bytes(20_000, 256, title), length)).not.toBe(titled);
    expect(proof(bytes(20_000, length - 1, title), length)).not.toBe(titled);
  }
  expect(proof(bytes(20_000, 255, title.padStart(80, ' ')), 10_000)).not.toBe(
    proof(bytes(20_000, undefined, title.padStart(80, ' ')), 10_000),
  );
});

it('is another one for a file that is shorter than what was read', () => {
  const whole = proof(bytes(10_000), 10_000);
  expect(proof(bytes(9_999), 10_000)).not.toBe(whole);
  expect(proof(bytes(200), 300)).not.toBe(proof(bytes(300), 300));
});

it('is of nothing where nothing was read', () => {
  expect(proof(bytes(10), 0)).toBe(proof(bytes(10_000, 3), 0));
});

it('is another one for another file under the name', () => {
  const before = proof(bytes(100), 100);
  writeFileSync(`${path}.new`, bytes(100));
  renameSync(`${path}.new`, path);
  expect(proof(bytes(100), 100)).not.toBe(before);
});

it('is of nothing but a title where that is all that was read', () => {
  const whole = proof(bytes(100, undefined, title), 100);
  expect(proof(bytes(100, 99, title), 100)).toBe(whole);
  expect(proof(bytes(99, undefined, title), 99)).not.toBe(whole);
});
