/**
 * What a view was folded with, in one text that is stored with it: the user's rules, and which
 * withdrawals the log had. Pure.
 */
import type { Projection } from '../projections/projection.ts';
import type { Generation } from '../views/views.ts';

export interface FoldSettings {
  /** As in `Projection`. */
  readonly settings: string;
  /** `Withdrawals.version`. */
  readonly withdrawn: string;
}

/** No rules' text has it: they are JSON. */
const separator = '\nwithdrawn ';

export function writeFoldSettings({ settings, withdrawn }: FoldSettings): string {
  return withdrawn === '' ? settings : `${settings}${separator}${withdrawn}`;
}

export function readFoldSettings(text: string): FoldSettings {
  const [settings = '', withdrawn = ''] = text.split(separator);
  return { settings, withdrawn };
}

/** Whatever was withdrawn since. */
export function isFoldedAs(
  { version, settings }: Pick<Projection, 'version' | 'settings'>,
  generation: Generation,
): boolean {
  const folded = readFoldSettings(generation.settings);
  return version === generation.version && settings === folded.settings;
}
