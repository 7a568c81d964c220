/** A real collector, started like a user's, with figures from the kernel. */
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf, residentBytesOf } from './proc.ts';

export interface CollectorProcess {
  readonly pid: number;
  readonly url: string;
  /** From the spawn until it reported ready. */
  readonly readyMs: number;
  /** User and system time of all its threads, so far. */
  cpuSeconds(): Promise<number>;
  residentBytes(): Promise<number>;
  /** Resolves when every view has folded this many events. */
  folded(events: number): Promise<void>;
  /** Resolves when every exporter has sent this many. */
  exported(events: number): Promise<void>;
  /** Rejects if it does not end cleanly. */
  stop(): Promise<void>;
}

export interface CollectorOptions {
  readonly home: string;
  /** The command line of another tree. */
  readonly script?: string;
  readonly profileDirectory?: string | null;
  /** Value of PI_LEDGER_STORE; by default a file in the home. */
  readonly store?: string;
  /** Variables besides where it keeps its data. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Before the script. */
  readonly nodeOptions?: readonly string[];
  /** Whether it has started; by default when it is ready. */
  isReady?(health: Pick<Health, 'ready' | 'role'>): boolean;
}

/** The command line as a file that Node runs. */
export const commandLine = new URL('../../collector/bin/pi-ledger.mjs', import.meta.url).pathname;

const readyMsMax = 30_000;
const foldedMsMax = 600_000;
const pollMs = 10;

export async function startCollector({
  home,
  script = commandLine,
  profileDirectory = null,
  store,
  environment = {},
  nodeOptions = [],
  isReady = ({ ready }) => ready,
}: CollectorOptions): Promise<CollectorProcess> {
  const profile =
    profileDirectory === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`];
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, ...profile, script, 'start'], {
    // A home without sessions: the search for sessions is measured, but not their import.
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      PI_LEDGER_HOME: home,
      PI_LEDGER_PORT: '0',
      ...(store !== undefined && { PI_LEDGER_STORE: store }),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => child.kill('SIGKILL');
  // Before the directory that it writes to is removed.
  process.prependOnceListener('exit', end);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  void ended.then(() => process.off('exit', end));

  const url = await addressOf(child);
  await until(async () => isReady(await health(url)), readyMsMax);
  const readyMs = performance.now() - startedMs;

  return {
    pid: child.pid ?? 0,
    url,
    readyMs,
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    residentBytes: () => residentBytesOf(child.pid ?? 0),
    folded: (events) =>
      until(
        async () => (await health(url)).views.every(({ position }) => position >= events),
        foldedMsMax,
      ),
    exported: (events) =>
      until(
        async () =>
          (await health(url)).subscribers.every(({ position }) => (position ?? 0) >= events),
        foldedMsMax,
      ),
    async stop() {
      child.kill('SIGTERM');
      const code = await ended;
      if (code !== 0) throw new Error(`the collector ended with ${code}`);
    },
  };
}

/** The first address it prints. */
function addressOf(child: ReturnType<typeof spawn>): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    const read = (text: string) => {
      said += text;
      const [url] = /http:\/\/[\w.:[\]]+/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.once('error', reject);
    child.once('close', (code) =>
      reject(new Error(`the collector ended with ${code} before it listened\n${said}`)),
    );
  });
}

interface Health {
  readonly ready: boolean;
  readonly role: string;
  readonly views: readonly { readonly position: number }[];
  readonly subscribers: readonly { readonly position: number | null }[];
}

function health(url: string): Promise<Health> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/health/ready`, { agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.once('end', () => resolve(JSON.parse(text) as Health));
    });
    sent.once('error', reject).end();
  });
}

async function until(holds: () => Promise<boolean>, withinMs: number): Promise<void> {
  const endMs = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > endMs)
      throw new Error(`the collector took more than ${withinMs / 1_000} s`);
    await sleep(pollMs);
  }
}
