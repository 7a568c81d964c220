import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lockPath, lockStore } from '../../../collector/stores/sqlite/lock.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory();
const child = fileURLToPath(new URL('../support/hold-lock.ts', import.meta.url));

describe("a store's writer lock", () => {
  it('is given once, and again when it was let go', () => {
    const path = join(directory, 'once.db');
    const lock = lockStore(path);
    expect(lock).not.toBeNull();
    expect(lockStore(path)).toBeNull();
    expect(lockStore(join(directory, 'another.db'))).not.toBeNull();
    lock?.release();
    const again = lockStore(path);
    expect(again).not.toBeNull();
    again?.release();
  });

  it('lies beside the store, for its owner alone', () => {
    const path = join(directory, 'home', 'ledger.db');
    lockStore(path)?.release();
    expect(lockPath(path)).toBe(join(directory, 'home', 'ledger.lock'));
    expect(statSync(lockPath(path)).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, 'home')).mode & 0o777).toBe(0o700);
  });

  it('stays held though nothing refers to it any more', () => {
    const path = join(directory, 'forgotten.db');
    expect(lockStore(path) === null).toBe(false);
    collectGarbage();
    expect(lockStore(path)).toBeNull();
  });

  it('keeps other processes out, and ends with its process, kill -9 included', async () => {
    const path = join(directory, 'killed.db');
    const holder = await hold(path);
    expect(holder.said).toBe('held\n');
    expect(lockStore(path)).toBeNull();
    expect((await hold(path)).said).toBe('refused\n');
    holder.process.kill('SIGKILL');
    await once(holder.process, 'close');
    const lock = lockStore(path);
    expect(lock).not.toBeNull();
    lock?.release();
  });
});

async function hold(path: string): Promise<{ process: ChildProcess; said: string }> {
  const running = spawn(process.execPath, [child, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [chunk] = (await once(running.stdout, 'data')) as [Buffer];
  return { process: running, said: chunk.toString() };
}
