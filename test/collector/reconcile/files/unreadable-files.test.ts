/** Files that cannot be opened or read: what is named of them, and that none stays open. */
import { existsSync, mkdtempSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type FileProblem,
  unreadable,
} from '../../../../collector/reconcile/files/session-files.ts';
import { unitsIn } from '../../../../collector/reconcile/files/session-format.ts';
import { swarmFiles } from '../../../../collector/reconcile/readers/omp/swarm-files.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { readFacts } from '../support/read-facts.ts';
import { header, line, writeFile } from '../support/two-sides.ts';

const directory = temporaryDirectory();
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(directory, 'unreadable-'));
});

const one = line({ id: 'a1', second: 1 });
/** Opens, but nothing at its beginning can be read. */
const memory = '/proc/self/mem';
const descriptors = '/proc/self/fd';

describe('what cannot be read', () => {
  it.each([
    ['ENOENT', 'unreadable_line'],
    ['ELOOP', 'unreadable_line'],
    ['EACCES', 'file_left_out'],
    ['EIO', 'file_left_out'],
    [undefined, 'file_left_out'],
  ])('may hold spend unless it is nothing: %s', (code, reason) => {
    const problem = unreadable('/s', Object.assign(new Error('words'), { code }));
    expect(problem).toMatchObject({ path: '/s', line: null, reason });
  });

  it('is a link to itself', () => {
    const path = join(root, 'self.jsonl');
    symlinkSync(path, path);
    expect(readFacts([root]).problems).toMatchObject([{ path, reason: 'unreadable_line' }]);
  });

  it('is a file that was deleted after its header was read', () => {
    const problems: FileProblem[] = [];
    const path = join(root, 'gone.jsonl');
    const { files } = readFacts([writeFile(root, 's.jsonl', [header('s', 0)])]).sessions.get(
      's',
    ) ?? { files: [] };
    const gone = files.map((file) => ({ ...file, path }));
    const found = gone.flatMap((file) => [...unitsIn(file, (each) => problems.push(each))]);
    expect(found).toEqual([]);
    expect(problems).toMatchObject([{ path, line: null, reason: 'unreadable_line' }]);
  });

  it.skipIf(!existsSync(memory))('is a file on a broken disk; the others are read', () => {
    const path = join(root, 'broken.jsonl');
    symlinkSync(memory, path);
    writeFile(root, 's.jsonl', [header('s', 0), one]);
    const { problems, sessions } = readFacts([root]);
    const message = 'cannot be read: the disk reports an error';
    expect(problems).toEqual([{ path, line: null, message, reason: 'file_left_out' }]);
    expect(sessions.get('s')?.sums.units).toBe(1);
  });
});

describe('a line that is too long', () => {
  const long = '['.repeat(5_000_000);

  it('is left out, and the rest of its file is read', () => {
    const path = writeFile(root, 's.jsonl', [header('s', 0), long, one]);
    const { problems, sessions } = readFacts([root]);
    const message = 'expected an entry; the line is too long';
    expect(problems).toEqual([{ path, line: 2, message, reason: 'line_left_out' }]);
    expect(sessions.get('s')?.sums.units).toBe(1);
  });

  it('may hold the spend of a file without a header', () => {
    writeFile(root, 'notes.jsonl', [long]);
    const message = 'expected a session header before the first entry';
    expect(readFacts([root]).problems).toMatchObject([{ message, reason: 'file_left_out' }]);
  });
});

it.skipIf(!existsSync(descriptors))('leaves no session file open', () => {
  const data = { state: 'paused' };
  const paused = { ...one, type: 'custom', customType: 'pi-ledger.recording', data };
  const path = writeFile(root, '-p/s.jsonl', [header('s', 0), one, paused]);
  const openPaths = () =>
    readdirSync(descriptors).flatMap((name) => {
      const descriptor = join(descriptors, name);
      return existsSync(descriptor) ? [readlinkSync(descriptor)] : [];
    });
  expect(readFacts([root]).sessions.get('s')?.sums.units).toBe(1);
  expect(swarmFiles([root])).toEqual([]);
  expect(openPaths()).not.toContain(path);
});
