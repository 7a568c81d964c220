/**
 * Once for all files of the lane `web`: the page of today's sources, the browser, and a month of
 * made-up data.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { findChromium, findHeadlessShell } from '../../services/chromium/program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Null: there is none. */
    chromiumPath: string | null;
    /** Null: there is none, or another browser is named. */
    headlessShellPath: string | null;
    /** A store that tests copy. */
    demoStore: string;
  }
}

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export default async function prepare(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'pi-ledger-web-'));
  execFileSync(process.execPath, [at('dashboards/web/build.mjs')], { stdio: 'inherit' });
  const store = join(folder, 'ledger.db');
  execFileSync(
    process.execPath,
    [at('collector/bin/pi-ledger.mjs'), 'demo', '--data-only', store],
    {
      env: { ...process.env, PI_LEDGER_HOME: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  project.provide('demoStore', store);
  try {
    const { name, path } = await findChromium(process.env);
    const shell = findHeadlessShell(process.env);
    project.provide('chromiumPath', path);
    project.provide('headlessShellPath', shell);
    project.provide('laneServer', shell === null ? name : `${name} and its headless shell`);
  } catch (error) {
    project.provide('chromiumPath', null);
    project.provide('headlessShellPath', null);
    project.provide('laneServer', error instanceof Error ? error.message : String(error));
  }
  return () => rmSync(folder, { recursive: true, force: true });
}
