/** What has no good default: another port where this one is taken. */
import { createServer } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { changeSettings } from '../../../config/write-settings.ts';
import { checkPort } from '../../doctor/port.ts';
import type { Setup, SetupStep } from '../task.ts';

const portsTried = 100;

export const choosePort: SetupStep = async (setup) => {
  const { config, terminal } = setup;
  const { findCollector } = await import('../../client/running-collector.ts');
  // One that was named is elsewhere, so this counts for it, too.
  if ((await findCollector(config)) !== null) return [];
  const [taken] = await checkPort(config, null);
  if (taken === undefined) return [];
  if (terminal.env.PI_LEDGER_PORT) {
    setup.warn('port', taken.detail);
    return [];
  }
  const port = await freePortAfter(config.port);
  const question = `${config.port} is used by another program; let the collector use ${port}?`;
  return [
    {
      topic: 'port',
      would: `write "port": ${port} to config.json, since another program uses ${config.port}`,
      question,
      refused: taken.detail,
      act: async () => {
        setSettings(setup, { port });
        setup.say('port', `${port}, in config.json; uninstall undoes it`);
        return true;
      },
    },
  ];
};

/** Noted before it is written, with what the user had there. */
export function setSettings({ config, record }: Setup, changes: Record<string, unknown>): void {
  changeSettings(config.home, (settings) => {
    const { settings: written, before } = record.done();
    const replaced = Object.entries(settings).filter(
      ([name, value]) => name in changes && !isDeepStrictEqual(value, written[name]),
    );
    record.note({
      settings: { ...written, ...changes },
      ...(replaced.length > 0 ? { before: { ...before, ...Object.fromEntries(replaced) } } : {}),
    });
    return { ...settings, ...changes };
  });
}

async function freePortAfter(port: number): Promise<number> {
  for (let next = port + 1; next <= port + portsTried && next < 65_536; next += 1) {
    if (await isFree(next)) return next;
  }
  return 0;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
