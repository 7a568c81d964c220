/**
 * Starting and ending host processes. Only what was started here is ever signalled: a child's own
 * process group, and processes that carry a sandbox's unique home in their environment.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface HostRun {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly wallMs: number;
}

export interface SpawnOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** RPC keeps stdin open; everything else gets none. */
  readonly stdin?: 'pipe' | 'ignore';
}

/**
 * Contract: `done` settles once, when the process has ended and its output is read: it resolves
 * however the process ended, except that it rejects, with the end of the output, when the hard time
 * limit had to kill it.
 */
export interface HostProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly done: Promise<HostRun>;
  /** Signals only the host: its tools' children live on, as when a person kills a host. */
  kill(signal?: NodeJS.Signals): void;
}

/**
 * The process leads its own group, so that the time limit ends its children too. Throws if it
 * cannot start.
 */
export function startProcess(command: readonly string[], options: SpawnOptions): HostProcess {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...options.env },
    detached: true,
    stdio: [options.stdin ?? 'ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) {
    // Node also emits it as an event, which would end the process without a listener.
    child.once('error', () => undefined);
    throw new Error(`cannot start ${program} in ${options.cwd}`);
  }
  return {
    pid,
    child,
    done: ended(child, pid, command, options.timeoutMs),
    kill: (signal = 'SIGKILL') => void child.kill(signal),
  };
}

function ended(
  child: ChildProcess,
  pid: number,
  command: readonly string[],
  timeoutMs: number,
): Promise<HostRun> {
  const startedMs = performance.now();
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  remember(pid);
  return new Promise((resolve, reject) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(pid);
    }, timeoutMs);
    child.once('error', reject);
    child.once('exit', () => closePipesSoon(child));
    child.once('close', (exitCode, signal) => {
      clearTimeout(timer);
      started.delete(pid);
      if (!timedOut)
        return resolve({ exitCode, signal, ...output, wallMs: performance.now() - startedMs });
      const ends = [output.stdout, output.stderr].map((text) => text.slice(-2000));
      reject(new Error([`killed after ${timeoutMs} ms: ${command.join(' ')}`, ...ends].join('\n')));
    });
  });
}

/**
 * A grandchild that outlives the host can keep its pipes open, so that `close` would never come.
 */
function closePipesSoon(child: ChildProcess): void {
  const close = (): void => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  // A busy process may come to its timers late, and before it has read what the pipes hold: it
  // reads between a timer and what is called immediately after.
  const timer = setTimeout(() => setImmediate(close), pipeGraceMs);
  child.once('close', () => clearTimeout(timer));
}

const pipeGraceMs = 500;

/**
 * Kills, by id, every process whose environment names this home. Does nothing where there is no
 * /proc.
 */
export async function killProcessesOf(home: string): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    const pids = await processesOf(home);
    if (pids.length === 0) return;
    for (const pid of pids) killOne(pid);
    await sleep(25);
  }
}

export async function processesOf(home: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const living = await Promise.all(
    pids.map(async (pid) => ((await environmentNames(pid, home)) ? pid : 0)),
  );
  return living.filter((pid) => pid > 0 && pid !== process.pid);
}

/**
 * False for zombies (their environment is empty), for kernel threads and for what has gone in the
 * meantime.
 */
async function environmentNames(pid: number, home: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  return environment.split('\0').includes(`HOME=${home}`);
}

/** Groups that have not ended: a test runner that exits early must not leave a host behind. */
const started = new Set<number>();

let guarded = false;

function remember(pid: number): void {
  started.add(pid);
  if (guarded) return;
  guarded = true;
  process.once('exit', () => [...started].forEach(killGroup));
}

function killGroup(pid: number): void {
  killOne(-pid);
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
