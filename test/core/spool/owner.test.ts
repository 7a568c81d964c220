import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeOwner,
  encodeOwner,
  parseProcessStat,
  readOwner,
  type SpoolOwner,
} from '../../../core/spool/owner.ts';

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const digits = fc.nat().map(String);
const anyOwner: fc.Arbitrary<SpoolOwner> = fc.record({
  machine: fc.option(hex(12)),
  bootId: fc.option(hex(32)),
  pidNamespace: fc.option(digits),
  pid: fc.nat(),
  startTime: digits,
});

describe('the owner of a spool directory', () => {
  it('is read from its directory name as it was written', () => {
    fc.assert(
      fc.property(anyOwner, (owner) => {
        const name = encodeOwner(owner);
        expect(name).toMatch(/^[a-z0-9-]{1,120}$/);
        expect(decodeOwner(name)).toEqual(owner);
      }),
    );
  });

  it('is not found in the names of other things in the spool', () => {
    for (const name of ['adopted', 'marks', 'rejected', 'reader.json', '', 'x-x-x-1', '..'])
      expect(decodeOwner(name)).toBeNull();
  });

  it('is the same for two looks at one process, and another one for another process', () => {
    const own = readOwner();
    expect(readOwner()).toEqual(own);
    expect(own.pid).toBe(process.pid);
    const module = JSON.stringify(new URL('../../../core/spool/owner.ts', import.meta.url));
    const script = `import { readOwner } from ${module}; console.log(JSON.stringify(readOwner()))`;
    const other: SpoolOwner = JSON.parse(
      spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
        .stdout,
    );
    expect({ ...other, pid: 0, startTime: '' }).toEqual({ ...own, pid: 0, startTime: '' });
    expect(encodeOwner(other)).not.toBe(encodeOwner(own));
  });

  it.runIf(process.platform === 'linux')('is complete on Linux', () => {
    expect(readOwner()).toMatchObject({
      bootId: expect.stringMatching(/^[0-9a-f]{32}$/),
      pidNamespace: expect.stringMatching(/^\d+$/),
    });
  });
});

describe('the process status line', () => {
  const rest = 'R 1 2 3 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 181810 3133440 418';

  it('gives state and start time, whatever the command’s name', () => {
    for (const command of ['node', 'a b', 'evil) S 1 2', '((', ') R 9 9 9 9']) {
      expect(parseProcessStat(`77 (${command}) ${rest}`)).toEqual({
        pid: 77,
        state: 'R',
        startTime: '181810',
      });
    }
  });

  it('gives nothing for a truncated one', () => {
    for (const text of ['', '77 (node', '77 (node) R 1 2'])
      expect(parseProcessStat(text)).toBeNull();
  });
});
