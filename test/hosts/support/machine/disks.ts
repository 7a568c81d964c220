/** Small file systems that a test mounts itself. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly path: string;
  /** Used bytes. */
  used(): number;
  /** Keeps the content. */
  resize(bytes: number): void;
  /** Contract: may be called twice. */
  unmount(): void;
}

/**
 * A file system in memory of this many bytes, in pages of 4 KiB. Throws if mounting is not allowed:
 * check `canMount` first.
 */
export function mountSmallDisk(path: string, bytes: number): SmallDisk {
  mkdirSync(path, { recursive: true });
  mount('-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'tmpfs', path);
  let mounted = true;
  return {
    path,
    used() {
      const { blocks, bfree, bsize } = statfsSync(path);
      return (blocks - bfree) * bsize;
    },
    resize: (newBytes) => mount('-o', `remount,size=${newBytes}`, path),
    unmount() {
      if (!mounted) return;
      mounted = false;
      execFileSync('umount', ['--lazy', path], { stdio: 'pipe' });
    },
  };
}

const shrinkTriesMax = 20;

/**
 * Leaves room for so many bytes, or for more where others write meanwhile: a size below what is
 * used is refused, in the words "not mounted or bad option".
 */
export function shrink(disk: Pick<SmallDisk, 'used' | 'resize'>, spareBytes: number): void {
  let isShrunk = false;
  for (let attempt = 0; !isShrunk; attempt += 1) {
    try {
      disk.resize(disk.used() + spareBytes * 2 ** attempt);
      isShrunk = true;
    } catch (error) {
      if (attempt >= shrinkTriesMax) throw error;
    }
  }
}

/** Only root may mount, and not in every container. Determined by trying. */
export function canMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), 'can-mount-'));
  try {
    const disk = mountSmallDisk(path, 4096);
    try {
      disk.resize(8192);
    } finally {
      disk.unmount();
    }
    return true;
  } catch (error) {
    if (
      (error as { status?: number; code?: string }).status !== undefined ||
      (error as { code?: string }).code === 'ENOENT'
    )
      return false;
    throw error;
  } finally {
    rmdirSync(path);
  }
}

function mount(...args: readonly string[]): void {
  execFileSync('mount', args, { stdio: 'pipe' });
}
