/** A real host in a real terminal: a pty by util-linux' `script`, its screen by xterm. */
import { Terminal } from '@xterm/headless';
import { startProcess } from './processes.ts';
import { commandOf, type RunOptions } from './run-host.ts';
import type { Sandbox } from './sandbox.ts';

export interface HostTerminal {
  type(keys: string): void;
  /** What stands on the screen, and what scrolled off. */
  screen(): string;
  end(): Promise<void>;
}

/** Longer than any test may take: it only ends what the end of the tests' process did not. */
const terminalMsMax = 3_600_000;
const columns = 140;
const rows = 45;

export function openTerminal(sandbox: Sandbox, options: RunOptions): HostTerminal {
  const words = commandOf(sandbox, options, []).map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const line = `stty cols ${columns} rows ${rows}; exec ${words.join(' ')}`;
  const env = { ...sandbox.env, TERM: 'xterm-256color', SHELL: '/bin/sh', ...options.env };
  const host = startProcess(['script', '-qfec', line, '/dev/null'], {
    cwd: sandbox.work,
    env,
    timeoutMs: options.timeoutMs ?? terminalMsMax,
    stdin: 'pipe',
  });
  const terminal = new Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true });
  host.child.stdout?.on('data', (text: string) => terminal.write(text));
  // Hosts ask the terminal what it can do, and wait for its answers.
  terminal.onData((answer) => host.child.stdin?.write(answer));
  return {
    type: (keys) => void host.child.stdin?.write(keys),
    screen() {
      const { active } = terminal.buffer;
      return Array.from(
        { length: active.length },
        (_, row) => active.getLine(row)?.translateToString(true) ?? '',
      ).join('\n');
    },
    async end() {
      host.kill('SIGTERM');
      await host.done.catch(() => undefined);
      terminal.dispose();
    },
  };
}
