/** systemd's services of a user: `systemctl --user`. */
import { join } from 'node:path';
import { isWritable, type RunManager, type ServiceManager } from './manager.ts';

export function systemd(configDirectory: string, run: RunManager): ServiceManager {
  const user = (...words: readonly string[]) => run('systemctl', '--user', ...words);
  const failure = async (...words: readonly string[]) => {
    const { isGood, lastLine } = await user(...words);
    return isGood ? null : lastLine || `systemctl --user ${words.join(' ')} failed`;
  };
  return {
    name: 'systemd',
    fileOf: (service) => join(configDirectory, 'systemd', 'user', `${service}.service`),
    textOf({ command, environment }) {
      const variables = Object.entries(environment);
      const [program = ''] = command;
      if (![...command, ...variables.flat()].every(isWritable) || /["'\\]/.test(program))
        return null;
      return [
        '# Written by `pi-ledger init`; `pi-ledger uninstall` removes it.',
        '[Unit]',
        'Description=pi-ledger: the collector',
        '',
        '[Service]',
        `ExecStart=${execLine(command)}`,
        ...variables.map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
        'Restart=on-failure',
        'RestartSec=5',
        'UMask=0077',
        '',
        '[Install]',
        'WantedBy=default.target',
        '',
      ].join('\n');
    },
    lack: () => failure('show-environment'),
    isRunning: async (service) => (await user('is-active', `${service}.service`)).isGood,
    start: async (service) =>
      (await failure('daemon-reload')) ??
      (await failure('enable', `${service}.service`)) ??
      // Starts it, too; one that runs already has read the file as it was.
      (await failure('restart', `${service}.service`)),
    async stop(service) {
      const failed = await failure('disable', '--now', `${service}.service`);
      return failed !== null && /does not exist|not loaded/.test(failed) ? null : failed;
    },
    async forget() {
      await user('daemon-reload');
    },
    logsOf: (service) => `journalctl --user --unit ${service}`,
  };
}

/** `%` is systemd's, and `$` too, except in the program's own path. */
function execLine([program = '', ...words]: readonly string[]): string {
  return [quoted(program), ...words.map((word) => quoted(word.replaceAll('$', '$$$$')))].join(' ');
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`;
}
