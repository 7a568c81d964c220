/** A server process that tests start, kill, pause and restart. Its output goes to a file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createConnection } from 'node:net';
import { waitMsMax } from '../support/bounds.ts';

export interface ServerProcess {
  readonly logPath: string;
  start(): void;
  isRunning(): boolean;
  /** It did not end by itself. */
  wasKilled(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Resolves when it has ended, also if it is paused; with SIGKILL after `waitMsMax`. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export function createServerProcess({
  command,
  logPath,
  env = {},
}: {
  command: readonly string[];
  logPath: string;
  /** Beside the variables of this process. */
  env?: Readonly<Record<string, string>>;
}): ServerProcess {
  const [program = '', ...flags] = command;
  let child: ChildProcess | null = null;
  const isRunning = (): boolean =>
    child !== null && child.exitCode === null && child.signalCode === null;

  return {
    logPath,
    start() {
      const log = openSync(logPath, 'a');
      child = spawn(program, flags, {
        stdio: ['ignore', log, log],
        env: { ...process.env, DO_NOT_TRACK: '1', ...env },
      });
      closeSync(log);
    },
    isRunning,
    wasKilled: () => child?.signalCode === 'SIGKILL',
    signal(signal) {
      child?.kill(signal);
    },
    async end(signal) {
      if (child === null || !isRunning()) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      child.kill('SIGCONT');
      const timer = setTimeout(() => child?.kill('SIGKILL'), waitMsMax);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Whether something listens on the port. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
