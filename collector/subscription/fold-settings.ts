/**
 * What a view was folded with, in one text that is stored with it: the user's rules, and which
 * withdrawals the log had. Pure.
 */
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
