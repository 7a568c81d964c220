/**
 * The extension's settings: those of `contract/settings/settings.ts` that it reads, and what is
 * derived from them.
 *
 * All problems are reported at once, each with its place and what was expected. None is repaired
 * silently.
 */
import { join } from 'node:path';
import { type Environment, readSettings, type SettingValues } from '../contract/settings/read.ts';
import { findSettings } from './shared/settings-file.ts';

export interface Config extends Omit<SettingValues<'extension'>, 'port' | 'url' | 'disabled'> {
  readonly home: string;
  readonly spoolDirectory: string;
  /**
   * The collector's address. Null: whichever port it listens on, as the lease of a running
   * collector says (spool/lease.ts).
   */
  readonly url: string | null;
  /** The user set the address; it is not the default. */
  readonly isUrlNamed: boolean;
}

export type ConfigResult =
  /** `doubts`: unknown settings. */
  | { readonly outcome: 'ready'; readonly config: Config; readonly doubts: readonly string[] }
  /** `by`: the setting that disables it. */
  | { readonly outcome: 'disabled'; readonly by: string }
  /** One message that lists all problems. */
  | { readonly outcome: 'broken'; readonly message: string };

/** The collector's address, for people. */
export function addressText({ url }: Pick<Config, 'url'>): string {
  return url ?? 'http://127.0.0.1 (any port)';
}

/** Contract: never throws. */
export function readConfig(environment: Environment): ConfigResult {
  const { home, written, problems: fileProblems } = findSettings(environment);
  const { values, problems, doubts } = readSettings('extension', written, {});
  const { port, url, disabled, ...others } = values;
  if (disabled)
    return {
      outcome: 'disabled',
      by: environment.PI_LEDGER_DISABLED
        ? 'PI_LEDGER_DISABLED'
        : `"disabled" in ${home}/config.json`,
    };
  const all = [
    ...fileProblems,
    ...problems.map(({ message }) => message),
    ...(problems.length > 0 ? doubts : []),
  ];
  if (all.length > 0)
    return { outcome: 'broken', message: `its configuration is invalid: ${all.join('; ')}` };
  const address = url ?? (port === 0 ? null : `http://127.0.0.1:${port}`);
  const config = {
    ...others,
    home,
    spoolDirectory: join(home, 'spool'),
    url: address,
    isUrlNamed: url !== null,
  };
  return { outcome: 'ready', config: Object.freeze(config), doubts };
}
