import { homedir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../run-program.ts';
import { launchd } from './launchd.ts';
import type { RunManager, ServiceManager } from './manager.ts';
import { systemd } from './systemd.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The one of this kind of machine, whether it runs or not; null: there is none. */
export function findManager(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): ServiceManager | null {
  const home = env.HOME || homedir();
  const run: RunManager = async (...words) => {
    const { code, isMissing, lastLine } = await runProgram(words, { env });
    return { isGood: code === 0, lastLine: isMissing ? `no ${words[0]} here` : lastLine };
  };
  if (platform === 'linux') return systemd(env.XDG_CONFIG_HOME || join(home, '.config'), run);
  if (platform === 'darwin') return launchd(home, process.getuid?.() ?? 0, run);
  return null;
}
