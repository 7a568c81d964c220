/** Takes the extension out of the hosts that `init` put it into. */
import { type HostFinding, lookAtHosts } from '../../../process/hosts/hosts.ts';
import { runProgram } from '../run-program.ts';
import type { Setup, SetupStep, Task } from '../task.ts';

export function removeExtension(host: HostFinding['host']): SetupStep {
  return async (setup) => {
    const { terminal, record, say, isDryRun } = setup;
    const command = record.done().extensions[host];
    const finding = lookAtHosts(terminal.env).find((each) => each.host === host);
    const isThere = finding?.isUsed === true && finding.install === null;
    if (command === undefined) {
      if (isThere) say(host, 'has the extension, but not from init: left alone');
      return [];
    }
    if (isThere) return [removal(host, command, setup)];
    say(host, 'does not have the extension any more');
    if (!isDryRun) forget(host, setup);
    return [];
  };
}

function removal(host: HostFinding['host'], command: readonly string[], setup: Setup): Task {
  const { terminal, say, warn } = setup;
  const { env } = terminal;
  const line = command.join(' ');
  return {
    topic: host,
    would: `run: ${line}`,
    question: `run \`${line}\`?`,
    refused: 'keeps the extension',
    async act() {
      const { code } = await runProgram(command, { env, onLine: (text) => say('', text) });
      const left = lookAtHosts(env).find((each) => each.host === host);
      if (left?.isUsed && left.install === null) {
        warn(host, `still has the extension${code === 0 ? '' : `: \`${line}\` failed`}`);
        return false;
      }
      forget(host, setup);
      say(host, 'does not load the extension any more');
      return true;
    },
  };
}

function forget(host: string, { record }: Setup): void {
  const others = Object.entries(record.done().extensions).filter(([name]) => name !== host);
  record.note({ extensions: Object.fromEntries(others) });
}
