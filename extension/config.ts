/**
 * The extension's settings: those of `contract/settings/settings.ts` that it reads, and what is
 * derived from them.
 *
 * All problems are reported at once, each with its place and what was expected. None is repaired
 * silently.
 */
import { join } from 'node:path';
import {
  type Environment,
  readSettings,
  type SettingProblem,
  type SettingValues,
} from '../contract/settings/read.ts';
import { findSettings } from '../core/machine/settings-file.ts';

type Derived = 'port' | 'url' | 'disabled' | 'stopWhenUnreadable';

export interface Config extends Omit<SettingValues<'extension'>, Derived> {
  readonly home: string;
  readonly spoolDirectory: string;
  /**
   * The collector's address. Null: whichever port it listens on, as the lease of a running
   * collector says (spool/lease.ts).
   */
  readonly url: string | null;
  /** The user set the address; it is not the default. */
  readonly isUrlNamed: boolean;
  /** Why a run without a person may not start; null: it may. */
  readonly stopsRuns: string | null;
}

export type ConfigResult =
  /** `doubts`: unknown settings. `leftOut`: those that cannot be read. */
  | {
      readonly outcome: 'ready';
      readonly config: Config;
      readonly doubts: readonly string[];
      readonly leftOut: readonly string[];
    }
  /** `by`: the setting that disables it. */
  | { readonly outcome: 'disabled'; readonly by: string }
  /** One message that lists all problems. `stopsRuns`: runs without a person may not start. */
  | { readonly outcome: 'broken'; readonly message: string; readonly stopsRuns: boolean };

/** The collector's address, for people. */
export function addressText({ url }: Pick<Config, 'url'>): string {
  return url ?? 'http://127.0.0.1 (any port)';
}

/** Contract: never throws. */
export function readConfig(environment: Environment): ConfigResult {
  const { home, written, problems: fileProblems } = findSettings(environment);
  const { values, problems, doubts, leftOut } = readSettings('extension', written, {});
  const { port, url, disabled, stopWhenUnreadable, ...others } = values;
  if (disabled)
    return {
      outcome: 'disabled',
      by: environment.PI_LEDGER_DISABLED?.trim()
        ? 'PI_LEDGER_DISABLED'
        : `"disabled" in ${home}/config.json`,
    };
  const isStop = stopWhenUnreadable || leftOut.some(({ key }) => key === 'stopWhenUnreadable');
  const invalid = [...fileProblems, ...problems.map(({ message }) => message)];
  if (invalid.length > 0) {
    const all = [...invalid, ...leftOut.map(({ message }) => message), ...doubts];
    const limit = others.runBudget === null ? [] : ['the budget of this run does not hold'];
    const message = `its configuration is invalid: ${[...all, ...limit].join('; ')}`;
    return { outcome: 'broken', message, stopsRuns: isStop };
  }
  const address = url ?? (port === 0 ? null : `http://127.0.0.1:${port}`);
  const config = {
    ...others,
    home,
    spoolDirectory: join(home, 'spool'),
    url: address,
    isUrlNamed: url !== null,
    stopsRuns: isStop ? unreadBudget(leftOut) : null,
  };
  return {
    outcome: 'ready',
    config: Object.freeze(config),
    doubts,
    leftOut: leftOut.map(({ message }) => message),
  };
}

/** Returns null if it could be read, or there is none. */
function unreadBudget(leftOut: readonly SettingProblem[]): string | null {
  const found = leftOut.filter(({ key }) => key === 'runBudget');
  return found.length === 0 ? null : found.map(({ message }) => message).join('; ');
}
