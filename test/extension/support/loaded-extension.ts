/** The extension in a process of its own, with a home of its own, as a host loads it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import { waitMsMax } from '../../support/bounds.ts';

export interface Outcome {
  readonly hooks: readonly string[];
  readonly answers: readonly string[];
  readonly notices: readonly string[];
  readonly stderr: string;
  readonly wallMs: number;
}

interface RunOptions {
  readonly factories?: number;
  readonly events?: readonly unknown[];
  readonly hasUI?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

const program = fileURLToPath(new URL('./host-process.ts', import.meta.url));

export const prompt = [
  ['session_start', { reason: 'startup' }],
  ['turn_end', {}],
  ['agent_settled', {}],
  ['session_shutdown', { reason: 'quit' }],
];

/** Gives each test an empty home. */
export function loadedExtension() {
  let home = '';
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'pi-ledger-index-'));
  });
  afterEach(() => rmSync(home, { recursive: true }));
  return {
    home: () => home,
    run: (options: RunOptions = {}) => run(home, options),
    events: () => eventsIn(home),
  };
}

function run(
  home: string,
  { factories = 1, events = prompt, hasUI = true, env = {} }: RunOptions,
): Promise<Outcome> {
  const environment = {
    PATH: process.env.PATH,
    HOME: home,
    PI_LEDGER_HOME: join(home, 'ledger'),
    PI_LEDGER_URL: 'http://127.0.0.1:9',
    ...env,
  };
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const argv = [program, JSON.stringify({ factories, events, hasUI })];
    execFile(
      process.execPath,
      argv,
      { env: environment, timeout: waitMsMax },
      (error, stdout, stderr) => {
        if (error) return reject(new Error(`${error.message}\n${stderr}`));
        resolve({
          ...(JSON.parse(stdout) as Outcome),
          stderr,
          wallMs: performance.now() - startedMs,
        });
      },
    );
  });
}

function eventsIn(home: string): readonly { type: string; sequence: string; source: string }[] {
  const spool = join(home, 'ledger', 'spool');
  if (!existsSync(spool)) return [];
  const segments = readdirSync(spool, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ndjson'),
  );
  return segments.sort().flatMap((name) =>
    readFileSync(join(spool, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}
