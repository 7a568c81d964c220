/** A collector, gateway or worker as a process, started as users start it, again and again. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stoppedLate } from '../../../collector/process/stop-signals.ts';
import { type Child, startChild } from './child.ts';
import { until } from './until.ts';

export interface Program {
  readonly name: string;
  readonly home: string;
  /** Null: it does not run, or has not said yet where it listens. */
  url(): string | null;
  isRunning(): boolean;
  /** Starts it; does not wait. */
  launch(): void;
  /** Starts it unless it runs, and waits until it listens. Rejects if it ends before. */
  start(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Resolves when it has ended. */
  kill(): Promise<void>;
  /** By SIGTERM. That its own time for it was over, and it says so, is no fault. */
  terminate(): Promise<Ending>;
  residentBytes(): number | null;
  /** The token for programs of its machine. */
  machineToken(): string;
  /** Moves its wall clock to this much after the machine's. */
  jumpClock(offsetMs: number): void;
  errors(): string;
}

interface Ending {
  readonly isFault: boolean;
  /** "in order", "with 1" */
  readonly how: string;
}

const bin = fileURLToPath(new URL('../../../collector/bin/pi-ledger.mjs', import.meta.url));
export const clockJump = new URL('clock-jump.ts', import.meta.url).href;
const inOrder: Ending = { isFault: false, how: 'in order' };
/** Far more than the 10 s that the program gives itself; it ends what hangs. */
const terminateMsMax = 240_000;

export function createProgram(options: {
  readonly name: string;
  readonly home: string;
  /** Outside of the home, which may be on a full disk. */
  readonly clockFile: string;
  readonly env: Readonly<Record<string, string>>;
  /** It listens now, there. */
  onListening(port: number): void;
}): Program {
  const { name, home, clockFile, env, onListening } = options;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  // Senders share one address, and are no attack.
  writeFileSync(join(home, 'config.json'), JSON.stringify({ requestsPerMinuteMax: 0 }));
  let child: Child | null = null;
  const isRunning = (): boolean => child?.isRunning() === true;
  const url = (): string | null =>
    isRunning() ? (/http:\/\/[\d.:]+/.exec(child?.said() ?? '')?.[0] ?? null) : null;

  const program: Program = {
    ...{ name, home, url, isRunning },
    launch() {
      child = startChild(['--import', clockJump, bin, 'start'], {
        ...{ HOME: home, PI_LEDGER_HOME: home, PI_LEDGER_PORT: '0', PI_LEDGER_IMPORT: '0' },
        ...{ FAULTS_CLOCK: clockFile },
        ...env,
      });
    },
    async start() {
      if (!isRunning()) program.launch();
      await until(`${name} listens`, () => url() !== null || !isRunning());
      const address = url();
      if (address === null) throw new Error(`${name} ended: ${child?.errors().slice(-2_000)}`);
      onListening(Number(new URL(address).port));
    },
    signal: (signal) => child?.signal(signal),
    async kill() {
      child?.signal('SIGKILL');
      await child?.ended;
    },
    async terminate() {
      if (child === null) return inOrder;
      child.signal('SIGTERM');
      const { promise: late, resolve } = Promise.withResolvers<'late'>();
      const timer = setTimeout(() => resolve('late'), terminateMsMax);
      const code = await Promise.race([child.ended, late]);
      clearTimeout(timer);
      if (code === 'late') {
        await program.kill();
        return { isFault: true, how: 'by SIGKILL' };
      }
      if (code === 0) return inOrder;
      return { isFault: !program.errors().includes(stoppedLate), how: `with ${code}` };
    },
    residentBytes: () => child?.residentBytes() ?? null,
    machineToken() {
      const file = readFileSync(join(home, 'collector.json'), 'utf8');
      return (JSON.parse(file) as { readonly token: string }).token;
    },
    jumpClock: (offsetMs) => writeFileSync(clockFile, String(offsetMs)),
    errors: () => child?.errors() ?? '',
  };
  return program;
}
