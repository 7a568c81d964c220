/**
 * The extension's settings: those of `contract/settings/settings.ts` that it reads, and what
 * follows from them.
 *
 * Every problem is found in one go and named with where it stands and what was expected; none is
 * repaired in silence.
 */
import { join } from 'node:path';
import { type Environment, readSettings, type SettingValues } from '../contract/settings/read.ts';
import { findSettings } from './settings-file.ts';

export interface Config extends Omit<SettingValues<'extension'>, 'port' | 'url' | 'disabled'> {
  readonly home: string;
  readonly spoolDirectory: string;
  /**
   * Of the collector. Null: on whichever port it listens, which the lease of a running one says
   * (spool/lease.ts).
   */
  readonly url: string | null;
  /** The user wrote it: it is not the default address. */
  readonly isUrlNamed: boolean;
}

export type ConfigResult =
  /** `doubts`: settings that nobody reads. */
  | { readonly outcome: 'ready'; readonly config: Config; readonly doubts: readonly string[] }
  /** `by`: the setting that says so. */
  | { readonly outcome: 'disabled'; readonly by: string }
  /** One message that names all problems. */
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
    return { outcome: 'broken', message: `it is not configured right: ${all.join('; ')}` };
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
