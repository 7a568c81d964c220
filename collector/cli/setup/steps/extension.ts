/** The extension in each host, by the host's own command. */
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HostFinding, lookAtHosts } from '../../../process/hosts/hosts.ts';
import { installCommand, installLine, removeCommand } from '../../../process/hosts/install-line.ts';
import { runProgram } from '../run-program.ts';
import type { Setup, SetupStep, Task } from '../task.ts';

export const findHosts: SetupStep = async ({ terminal, say }) => {
  if (lookAtHosts(terminal.env).every(({ isUsed }) => !isUsed))
    say('hosts', 'neither pi nor omp was ever started here; run init again after that');
  return [];
};

export function extensionIn(host: HostFinding['host']): SetupStep {
  return async (setup) => {
    const finding = lookAtHosts(setup.terminal.env).find((each) => each.host === host);
    return finding?.isUsed ? taskFor(finding, setup) : [];
  };
}

function taskFor(finding: HostFinding, setup: Setup): readonly Task[] {
  const { host, state, detail, install } = finding;
  if (install === null) {
    if (state === 'bad') setup.warn(host, detail);
    else setup.say(host, detail);
    return [];
  }
  return [
    {
      topic: host,
      would: `run: ${install}`,
      question: `run \`${install}\`?`,
      refused: `does not load the extension; later: ${install}`,
      act: () => installIn(finding, install, setup),
    },
  ];
}

async function installIn(
  { host }: HostFinding,
  install: string,
  { terminal, record, say, warn }: Setup,
): Promise<boolean> {
  const { env } = terminal;
  const isMissing = install === installLine(host);
  const command = isMissing ? installCommand(host) : install.split(' ');
  const undo = isMissing
    ? removeCommand(host)
    : command.map((word) => (word === 'enable' ? 'disable' : word));
  const before = record.done().extensions;
  record.note({ extensions: { ...before, [host]: [...undo] } });
  const ended = await runProgram(command, { env, onLine: (line) => say('', line) });
  if (ended.code !== 0) {
    record.note({ extensions: before });
    warn(
      host,
      ended.isMissing
        ? `there is no program \`${host}\` on the PATH: run it yourself: ${install}`
        : `\`${install}\` failed; run it yourself, then pi-ledger doctor`,
    );
    return false;
  }
  const found = lookAtHosts(env).find((each) => each.host === host);
  if (found === undefined || found.install !== null) {
    warn(host, `\`${install}\` ended well, but: ${found?.detail ?? 'nothing is installed'}`);
    return false;
  }
  if (!(await hasLoaded(host, env))) {
    warn(host, `started once, it recorded nothing: start ${host}, then pi-ledger doctor`);
    return false;
  }
  if (found.state === 'bad') warn(host, found.detail);
  say(host, `loads the extension; uninstall runs: ${undo.join(' ')}`);
  return true;
}

// Whether a host loads the extension: it is started once, and records its start somewhere else.

type Environment = Readonly<Record<string, string | undefined>>;

/** No prompt, no session file, no project's settings; ended by the end of its input. */
const startOnce = {
  pi: ['pi', '--mode', 'rpc', '--no-session'],
  omp: ['omp', '--mode', 'rpc', '--no-session', '--no-title', '--no-lsp', '--no-rules'],
} as const;

const startMsMax = 60_000;

/** Leaves nothing behind in PI_LEDGER_HOME. Never rejects for what the host does. */
async function hasLoaded(host: 'pi' | 'omp', env: Environment): Promise<boolean> {
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
