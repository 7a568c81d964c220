/** Whether a host loads the extension: it is started once, and records its start somewhere else. */
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** No prompt, no session file, no project's settings; ended by the end of its input. */
const startOnce = {
  pi: ['pi', '--mode', 'rpc', '--no-session'],
  omp: ['omp', '--mode', 'rpc', '--no-session', '--no-title', '--no-lsp', '--no-rules'],
} as const;

const startMsMax = 60_000;

/** Leaves nothing behind in PI_LEDGER_HOME. Never rejects for what the host does. */
export async function hasLoaded(host: 'pi' | 'omp', env: Environment): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'pi-ledger-trial-'));
  try {
    await runProgram(startOnce[host], {
      env: trialEnvironment(env, folder),
      cwd: folder,
      timeoutMs: startMsMax,
    });
    return globSync('spool/*/*.ndjson', { cwd: folder }).length > 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** omp ends at once without any model; with no prompt nobody is asked for this one. */
function trialEnvironment(env: Environment, home: string): Environment {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('PI_LEDGER_'));
  return {
    OPENAI_API_KEY: 'unused',
    ...Object.fromEntries(others),
    PI_OFFLINE: '1',
    PI_LEDGER_HOME: home,
  };
}
