import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../collector/support/directory.ts';
import { createServerProcess, type ServerProcess } from '../../services/server-process.ts';
import { waitMsMax } from '../../support/bounds.ts';

const root = temporaryDirectory();
afterEach(() => void vi.useRealTimers());

/** Says `up`; after SIGTERM it ends when it is let go, however long that takes. */
const slow = `
  const { existsSync } = require('node:fs');
  process.on('SIGTERM', () => {
    console.log('ending');
    setInterval(() => existsSync(process.argv[1]) && process.exit(0), 10);
  });
  setInterval(() => undefined, 1_000);
  console.log('up');
`;

async function startSlow(): Promise<{
  server: ServerProcess;
  says(word: string): Promise<void>;
  letGo(): void;
}> {
  const directory = mkdtempSync(join(root, 'server-'));
  const logPath = join(directory, 'log');
  const gate = join(directory, 'gate');
  const server = createServerProcess({ command: [process.execPath, '-e', slow, gate], logPath });
  const says = (word: string): Promise<void> =>
    expect.poll(() => existsSync(logPath) && readFileSync(logPath, 'utf8')).toContain(word);
  server.start();
  await says('up');
  return { server, says, letGo: () => writeFileSync(gate, '') };
}

it('a server that takes long to end is waited for', async () => {
  const { server, says, letGo } = await startSlow();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const ended = server.end('SIGTERM');
  vi.advanceTimersByTime(waitMsMax - 1);
  vi.useRealTimers();
  await says('ending');
  letGo();
  await ended;
  expect([server.isRunning(), server.wasKilled()]).toEqual([false, false]);
});

it('one that does not end is killed, which is known', async () => {
  const { server } = await startSlow();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const ended = server.end('SIGTERM');
  vi.advanceTimersByTime(waitMsMax);
  vi.useRealTimers();
  await ended;
  expect([server.isRunning(), server.wasKilled()]).toEqual([false, true]);
});

it('one that is paused ends all the same, by itself', async () => {
  const { server, letGo } = await startSlow();
  server.signal('SIGSTOP');
  letGo();
  await server.end('SIGTERM');
  expect(server.wasKilled()).toBe(false);
});
