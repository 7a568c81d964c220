/** The collector's own program, as users start it. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const bin = join(import.meta.dirname, '..', '..', '..', 'collector', 'bin', 'pi-ledger.mjs');

export interface CollectorProcess {
  readonly url: string;
  readonly pid: number;
  /** Its standard error, and so its log. */
  errors(): string;
  isAlive(): boolean;
  /** What it holds in memory. */
  residentBytes(): number;
  /** Resolves with its exit code. */
  stop(): Promise<number | null>;
}

export async function startProcess(
  settings: Readonly<Record<string, string>>,
): Promise<CollectorProcess> {
  const env = { ...process.env, PI_LEDGER_PORT: '0', PI_LEDGER_IMPORT: '0', ...settings };
  const child = spawn(process.execPath, [bin, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'exit');
  let said = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += text;
    if (/http:\S+\s/.test(said)) break;
  }
  const url = /http:\S+/.exec(said)?.[0];
  if (url === undefined) throw new Error(`The collector did not start: ${errors}`);
  child.stdout.resume();
  const { pid = 0 } = child;
  return {
    ...{ url, pid, errors: () => errors },
    isAlive: () => child.exitCode === null && child.signalCode === null,
    residentBytes: () => Number(/VmRSS:\s+(\d+) kB/.exec(statusOf(pid))?.[1] ?? 0) * 1024,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}

/** Until it has ended. Throws with what it complained of. */
export function runProgram(
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): void {
  const env = { ...process.env, ...settings };
  execFileSync(process.execPath, [bin, ...words], { env, stdio: ['ignore', 'ignore', 'pipe'] });
}

function statusOf(pid: number): string {
  return readFileSync(`/proc/${pid}/status`, 'utf8');
}
