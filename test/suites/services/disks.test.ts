import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../collector/support/directory.ts';
import { canMount, mountSmallDisk, shrink } from '../../hosts/support/machine/disks.ts';

const root = temporaryDirectory();
const disks = fileURLToPath(new URL('../../hosts/support/machine/disks.ts', import.meta.url));
const kibibyte = 1024;

it('a disk that others write to is shrunk all the same', () => {
  let used = 100;
  let size = 10_000;
  const busy = {
    used: () => used,
    resize(bytes: number): void {
      // More than the spare room, between the look and the mount.
      used += 30;
      if (bytes < used) throw new Error('mount point not mounted or bad option');
      size = bytes;
    },
  };
  shrink(busy, 10);
  expect(size).toBeLessThan(500);
  expect(size).toBeGreaterThanOrEqual(used);
});

it('a disk that cannot be resized says why', () => {
  const broken = {
    used: () => 100,
    resize(): void {
      throw new Error('permission denied');
    },
  };
  expect(() => shrink(broken, 10)).toThrow('permission denied');
});

it.skipIf(!canMount())('a shrunk disk keeps what it has, and is full', () => {
  const disk = mountSmallDisk(mkdtempSync(join(root, 'disk-')), 1024 * kibibyte);
  try {
    const [kept, more] = [join(disk.path, 'kept'), join(disk.path, 'more')];
    writeFileSync(kept, Buffer.alloc(512 * kibibyte));
    expect(() => disk.resize(256 * kibibyte)).toThrow('not mounted or bad option');
    shrink(disk, 4 * kibibyte);
    expect(() => writeFileSync(more, Buffer.alloc(64 * kibibyte))).toThrow('ENOSPC');
    expect(readFileSync(kept)).toHaveLength(512 * kibibyte);
    disk.resize(1024 * kibibyte);
    writeFileSync(more, Buffer.alloc(64 * kibibyte));
  } finally {
    disk.unmount();
  }
});

it.skipIf(!canMount())('who may not mount finds that out by trying', () => {
  const code = `import(${JSON.stringify(disks)}).then((it) => console.log(it.canMount()))`;
  const words = ['setpriv', '--bounding-set=-sys_admin', process.execPath, '-e', code];
  const [program = '', ...args] = words;
  expect(execFileSync(program, args, { encoding: 'utf8' }).trim()).toBe('false');
});
