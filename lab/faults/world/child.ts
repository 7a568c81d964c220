/**
 * A process that the harness starts and does harm to. On Linux it ends with the harness, kill -9
 * included, and, though root, it obeys permissions, so that wrong ones can be tried.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bareEnvironment } from '../../../test/support/bare-environment.ts';

export interface Child {
  readonly pid: number;
  isRunning(): boolean;
  /** What it said on standard output, and on standard error. */
  said(): string;
  errors(): string;
  signal(signal: NodeJS.Signals): void;
  /** The exit code; null: a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Null: it is gone. */
  residentBytes(): number | null;
}

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const obeying = isRoot ? ['--bounding-set=-dac_override,-dac_read_search'] : [];
/** Kept of each stream. */
const saidCharsMax = 20_000;

export function startChild(
  script: readonly string[],
  env: Readonly<Record<string, string>>,
): Child {
  const node = [process.execPath, ...script];
  const [program = '', ...args] =
    process.platform === 'linux' ? ['setpriv', '--pdeathsig=KILL', ...obeying, ...node] : node;
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...bareEnvironment, ...env },
  });
  hold(child);
  const said = listenTo(child.stdout);
  const errors = listenTo(child.stderr);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    said,
    errors,
    signal: (signal) => void child.kill(signal),
    ended,
    residentBytes: () => residentBytesOf(child.pid ?? 0),
  };
}

const running = new Set<ChildProcess>();

/** At the end of the harness they are gone before the directories that they write to. */
function hold(child: ChildProcess): void {
  if (running.size === 0) process.prependListener('exit', killAll);
  running.add(child);
  child.once('exit', () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', killAll);
  });
}

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

function listenTo(stream: ChildProcess['stdout']): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (part: string) => {
    text = (text + part).slice(-saidCharsMax);
  });
  return () => text;
}

function residentBytesOf(pid: number): number | null {
  try {
    const [, kibibytes] =
      /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kibibytes === undefined ? null : Number(kibibytes) * 1024;
  } catch {
    return null; // it has ended
  }
}
