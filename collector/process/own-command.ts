/**
 * How a user starts this installation's commands, from any folder: the one place that knows. A
 * package of the same name elsewhere, or none, is what `npx` finds in another project's folder.
 */
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, sep } from 'node:path';
import { nodeCommand } from '@pi-ledger/core/machine/node-command';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the registry calls this package. */
const byNpx = 'npx @pi-ledger/collector';

/**
 * `pi-ledger` where the PATH leads to this installation, `npx @pi-ledger/collector` where npx keeps
 * it, otherwise `node` with the path of its program. Without a PATH nobody can tell: its name then.
 * Reads names of files; runs nothing.
 */
export function ownCommand(env: Environment, program: string = ownProgram()): string {
  const home = env.HOME || homedir();
  const copy = join(env.PI_LEDGER_HOME?.trim() || join(home, '.pi-ledger'), 'app') + sep;
  if (isPassing(program) || program.startsWith(copy)) return byNpx;
  return leadsTo(program, env) ? 'pi-ledger' : nodeCommand(program, home);
}

/** A text of ours with its commands as `command` starts them: `pi-ledger import lists them`. */
export function withCommand(text: string, command: string): string {
  return text.replace(commandInText, () => command);
}

/** `cli/commands/registry.ts` has them; a test compares. Elsewhere `pi-ledger` is our name. */
const words =
  'billing|budgets|compactions|completion|compose-init|context|copy|demo|digest|doctor|export|' +
  'export-openmetrics|export-otel|help|import|import-events|init|insights|label|migrate|models|' +
  'month|overview|quota|rebuild|reconcile|rejected|report|reprice|requests|seal|sessions|start|' +
  'store (?:copy|migrate|rebuild|rejected|seal|topics)|today|token|tools|topics|uninstall|week|' +
  'withdraw|yesterday';
const commandInText = new RegExp(
  `^pi-ledger$|(?<![\\w./@-])pi-ledger(?= (?:${words})(?![\\w-]))`,
  'g',
);

/** What npx, pnpm and Bun put into a cache goes when they clean up. */
export function isPassing(path: string): boolean {
  return /[\\/](_npx|dlx|dlx-[^\\/]+|bunx-[^\\/]+)[\\/]/.test(path);
}

/** The program that the command `pi-ledger` of this installation runs. */
export function ownProgram(inside: string = import.meta.dirname): string {
  const program = join(inside, 'bin', 'pi-ledger.mjs');
  const isTop = dirname(inside) === inside;
  return isTop || existsSync(program) ? program : ownProgram(dirname(inside));
}

/** Whether `pi-ledger` in a shell is this program. npm's own folders are in no user's PATH. */
function leadsTo(program: string, { PATH }: Environment): boolean {
  if (PATH === undefined) return true;
  const folders = PATH.split(delimiter).filter((each) => !/node_modules[\\/]\.bin$/.test(each));
  const found = folders.flatMap((folder) => programsIn(folder))[0];
  return found !== undefined && found === realPath(program);
}

/** Windows has no links: a script stands for the program that is installed beside it. */
function programsIn(folder: string): readonly string[] {
  const installed = join(folder, 'node_modules', '@pi-ledger', 'collector', 'bin', 'pi-ledger.mjs');
  const path =
    process.platform === 'win32' && existsSync(join(folder, 'pi-ledger.cmd'))
      ? realPath(installed)
      : realPath(join(folder, 'pi-ledger'));
  return path === null ? [] : [path];
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
