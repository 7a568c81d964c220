/**
 * A user with an empty home, who types answers; first on the PATH are `pi-ledger` and programs of
 * this test.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { main } from '../../../../../collector/cli/main.ts';
import { ownProgram } from '../../../../../collector/process/own-command.ts';
import { freePort } from '../../../../hosts/support/machine/ports.ts';

export interface NewUser {
  readonly home: string;
  readonly ledgerHome: string;
  readonly env: Record<string, string>;
  /** A file below the home, as text or as JSON. */
  write(path: string, content: string | object): void;
  read(path: string): string | null;
  /** A program on the PATH, in `sh`. */
  program(name: string, script: string): void;
  /**
   * `answers` in turn, then the end of the input; null: nobody is at a terminal. Questions stand
   * among what is printed.
   */
  run(answers: readonly Answer[] | null, ...argv: readonly string[]): Promise<Ran>;
}

/** A function does something before it answers. */
type Answer = string | (() => string);

interface Ran {
  readonly code: number;
  readonly said: string;
  readonly questions: readonly string[];
}

/** `directory` may be any folder; the user's has a space in it. */
export async function newUser(directory: string): Promise<NewUser> {
  const home = mkdtempSync(join(directory, 'a user '));
  const bin = join(home, 'programs');
  mkdirSync(bin);
  symlinkSync(ownProgram(), join(bin, 'pi-ledger'));
  const ledgerHome = join(home, '.pi-ledger');
  const env: Record<string, string> = {
    HOME: home,
    PI_LEDGER_HOME: ledgerHome,
    PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
  };
  const user: NewUser = {
    home,
    ledgerHome,
    env,
    write(path, content) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      writeFileSync(join(home, path), text);
    },
    read: (path) => (existsSync(join(home, path)) ? readFileSync(join(home, path), 'utf8') : null),
    program: (name, script) => programIn(bin, name, script),
    async run(answers, ...argv) {
      const said: string[] = [];
      const questions: string[] = [];
      const left = [...(answers ?? [])];
      const code = await main(argv, {
        env,
        columns: answers === null ? null : 100,
        colour: false,
        now: () => new Date(),
        print: (line) => said.push(line),
        complain: (line) => said.push(line),
        ...(answers === null
          ? {}
          : {
              ask: async (question) => {
                questions.push(question);
                said.push(question);
                const answer = left.shift() ?? null;
                return typeof answer === 'function' ? answer() : answer;
              },
            }),
      });
      return { code, said: said.join('\n'), questions };
    },
  };
  user.write('.pi-ledger/config.json', { port: await freePort() });
  user.program('systemctl', 'echo "Failed to connect to bus" >&2; exit 1');
  return user;
}

export function programIn(folder: string, name: string, script: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o700 });
}

/** A host that installs and removes by writing its settings, as pi does, and records a start. */
export const goodPi = [
  'settings="$HOME/.pi/agent/settings.json"',
  'echo "$@" >>"$HOME/pi.log"',
  'case "$1" in',
  'install) echo "Installing $2..."; echo "{\\"packages\\":[\\"$2\\"]}" >"$settings" ;;',
  'remove) echo "Removing $2..."; echo "{}" >"$settings" ;;',
  '--mode) mkdir -p "$PI_LEDGER_HOME/spool/one"; echo {} >"$PI_LEDGER_HOME/spool/one/1.ndjson" ;;',
  'esac',
].join('\n');

/** systemd for one user: notes what it is told, and runs the unit's program as it stands there. */
export const systemctl = [
  'echo "$@" >>"$HOME/systemctl.log"',
  'unit="$HOME/.config/systemd/user/$3"; pid="$HOME/service.pid"',
  'is_running() { [ -f "$pid" ] && kill -0 "$(cat "$pid")" 2>/dev/null; }',
  'end() { if is_running; then kill "$(cat "$pid")"; fi; rm -f "$pid"; }',
  'case "$2" in',
  'is-active) is_running || exit 3 ;;',
  'restart) end',
  '  variables=$(sed -n "s/^Environment=//p" "$unit" | tr "\\n" " ")',
  '  program=$(sed -n "s/^ExecStart=//p" "$unit")',
  // Of its own session: closing the terminal does not end it.
  '  eval "setsid env $variables $program &" >>"$HOME/service.log" 2>&1',
  '  echo $! >"$pid" ;;',
  'disable) end ;;',
  'esac',
].join('\n');

/** A session file of pi with one answer for $0.5, whose billing nobody knows. */
export function leaveSession(home: string): void {
  const timestamp = '2026-11-20T09:00:00.000Z';
  const cost = { input: 0.5, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 };
  const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost };
  const message = {
    role: 'assistant',
    provider: 'anthropic',
    model: 'm',
    usage,
    stopReason: 'stop',
  };
  const lines = [
    { type: 'session', version: 3, id: 'before', timestamp, cwd: '/home/ada/shop' },
    { type: 'message', id: 'aaaa0001', parentId: null, timestamp, message },
  ];
  const folder = join(home, '.pi/agent/sessions/--shop--');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, '2026-11-20T09-00-00-000Z_before.jsonl'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
}
