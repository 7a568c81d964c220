/**
 * Importing more or longer session files takes no more memory: measured by the kernel for the real
 * command. Linux only.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeDemoSessions } from '../../../collector/cli/demo/session-files.ts';
import { writeLines } from '../importers/support/files.ts';
import { temporaryDirectory } from '../support/directory.ts';

const root = temporaryDirectory();
const bin = join(import.meta.dirname, '..', '..', '..', 'collector', 'bin', 'pi-ledger.mjs');
const residentKibMax = 450 * 1024;
const bytes = 60e6;

describe.skipIf(!existsSync('/proc/self/status'))('an import', () => {
  it.each([
    ['one long file, which one thread reads', 1],
    ['many files, which two threads read', 60],
  ])('of %s stays below 450 MB', async (_what, files) => {
    const home = mkdtempSync(join(root, 'home-'));
    const directory = join(home, 'sessions');
    const made = writeDemoSessions({
      directory,
      bytes,
      files,
      seed: 7,
      until: new Date('2026-11-20T00:00:00Z'),
    });
    expect(made.bytes).toBeGreaterThan(bytes / 2);
    const { code, residentKib, answer } = await run(home, ['import', '--pi', directory, '--json']);
    expect(code).toBe(0);
    expect(answer).toMatchObject({ files: { read: files }, bytes: made.bytes, issueCount: 0 });
    expect(residentKib).toBeGreaterThan(10 * 1024);
    expect(residentKib).toBeLessThan(residentKibMax);
  });

  it('of lines of the maximum length stays below 450 MB', async () => {
    const home = mkdtempSync(join(root, 'home-'));
    const directory = join(home, 'sessions');
    writeLines(join(directory, 'long.jsonl'), [
      header,
      ...Array.from({ length: 10 }, (_, index) => longLine(index)),
    ]);
    const { code, residentKib, answer } = await run(home, ['import', '--pi', directory, '--json']);
    expect(code).toBe(0);
    expect(answer).toMatchObject({ files: { read: 1 }, issueCount: 0 });
    expect(residentKib).toBeLessThan(residentKibMax);
  });
});

const header =
  '{"type":"session","version":3,"id":"long","timestamp":"2026-11-20T09:00:00.000Z",' +
  '"cwd":"/srv/shop"}';
/** Every second line has characters of two bytes, which take twice the memory. */
const longLine = (index: number) =>
  JSON.stringify({
    type: 'custom_message',
    id: `c${index}`,
    parentId: index === 0 ? null : `c${index - 1}`,
    timestamp: `2026-11-20T09:00:0${index}.500Z`,
    content: index % 2 === 0 ? 'x'.repeat(8.2e6) : 'é'.repeat(4.1e6),
  });

/** `residentKib`: the peak of the process. */
async function run(home: string, args: readonly string[]) {
  const env = { PATH: process.env.PATH ?? '', HOME: home, PI_LEDGER_HOME: join(home, 'ledger') };
  const child = spawn(process.execPath, [bin, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let stdout = '';
  let residentKib = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const timer = setInterval(() => {
    residentKib = Math.max(residentKib, peakOf(child.pid ?? 0));
  }, 20);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearInterval(timer);
  return { code, residentKib, answer: JSON.parse(stdout) as object };
}

function peakOf(pid: number): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return 0;
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // it has ended in between
  }
}
