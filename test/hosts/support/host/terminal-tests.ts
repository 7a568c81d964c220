/** What tests of a host in a terminal share: an LLM, a sandbox and at most one terminal each. */
import { afterEach, beforeEach, expect } from 'vitest';
import { type FakeLlm, startFakeLlm } from '../llm/fake-llm.ts';
import { type Host, hosts } from './hosts.ts';
import type { RunOptions } from './run-host.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { type HostTerminal, openTerminal } from './terminal.ts';

export const terminalHosts = hosts.filter(({ name }) => name !== 'pi073');

export interface TerminalTests {
  readonly llm: FakeLlm;
  readonly sandbox: Sandbox;
  /** Ends with the test. */
  open(options: RunOptions): void;
  type(keys: string): void;
  screen(): string;
  /** Waits for it on the screen, or in what scrolled off. */
  shows(text: string | RegExp): Promise<void>;
  /** Types it, waits until it stands in the editor, and presses enter. */
  enter(text: string): Promise<void>;
}

/** Of one host; called inside its `describe`. */
export function terminalTests(host: Host): TerminalTests {
  let llm: FakeLlm;
  let sandbox: Sandbox;
  let terminal: HostTerminal | null = null;

  beforeEach(async () => {
    llm = await startFakeLlm();
    // Else omp sets itself up first.
    const settings = host.family === 'omp' ? { setupVersion: 1_000 } : {};
    sandbox = createSandbox({ host, llm, settings });
  });

  afterEach(async () => {
    await terminal?.end();
    terminal = null;
    await sandbox.dispose();
    await llm.close();
  });

  const opened = (): HostTerminal => {
    if (terminal === null) throw new Error('no terminal is open');
    return terminal;
  };
  const tests: TerminalTests = {
    get llm() {
      return llm;
    },
    get sandbox() {
      return sandbox;
    },
    open(options) {
      terminal = openTerminal(sandbox, options);
    },
    type: (keys) => opened().type(keys),
    screen: () => opened().screen(),
    shows: (text) => expect.poll(tests.screen, { interval: 100 }).toMatch(text),
    async enter(text) {
      tests.type(text);
      await tests.shows(text);
      tests.type('\r');
    },
  };
  return tests;
}
