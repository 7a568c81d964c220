/**
 * pi's own example of a subagent tool, installed in a sandbox as by a user: each subagent is
 * another pi process, which loads everything installed there, including the tool.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../host/sandbox.ts';
import { extension } from '../ledger/ledger.ts';

export interface SubagentExampleOptions {
  /** `false`, as in the example: children run with `--no-session`. */
  readonly session: boolean;
  /**
   * Installs the ledger's extension as well, for every pi in the sandbox; otherwise only a run that
   * names it has it.
   */
  readonly ledger: boolean;
}

export function installSubagentExample(
  sandbox: Sandbox,
  { session, ledger }: SubagentExampleOptions,
): void {
  const { host, home, sessions } = sandbox;
  const example = join(
    host.directory,
    'node_modules',
    host.package,
    'examples',
    'extensions',
    'subagent',
  );
  const extensions = join(home, '.pi', 'agent', 'extensions');
  const source = readFileSync(join(example, 'index.ts'), 'utf8');
  const sessionArguments = `"--session-dir", ${JSON.stringify(sessions)}`;
  write(
    join(extensions, 'subagent'),
    'index.ts',
    session ? replaced(source, '"--no-session"', sessionArguments) : source,
  );
  write(
    join(extensions, 'subagent'),
    'agents.ts',
    readFileSync(join(example, 'agents.ts'), 'utf8'),
  );
  write(join(home, '.pi', 'agent', 'agents'), 'worker.md', worker);
  if (ledger)
    write(
      join(extensions, 'ledger'),
      'index.ts',
      `export { default } from ${JSON.stringify(extension)};\n`,
    );
}

const worker = `---
name: worker
description: Does what it is told
---
You are a lab worker.
`;

function replaced(source: string, what: string, by: string): string {
  if (!source.includes(what)) throw new Error(`the example no longer says ${what}`);
  return source.replace(what, by);
}

function write(directory: string, name: string, text: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), text);
}
