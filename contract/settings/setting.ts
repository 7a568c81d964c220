/**
 * The definition of one key of `config.json`. Types only: the settings themselves are in
 * `settings.ts`.
 */

/** Who reads `config.json`. */
export type Process = 'extension' | 'collector';

export interface Setting {
  /** The other process ignores the key. */
  readonly readBy: Process | 'both';
  /** The environment variable, which overrides the file. Absent: only the file can set it. */
  readonly variable?: string;
  readonly type: SettingType;
  readonly unit?: string;
  /** It is null for a setting without a default value. */
  readonly default:
    | null
    | boolean
    | number
    | string
    | readonly unknown[]
    | Readonly<Record<string, unknown>>;
  /** Shown instead of a default that depends on other settings. */
  readonly defaultText?: string;
  /** What zero does, if it has a special meaning. */
  readonly zero?: string;
  /** For the documentation, in Markdown; links are relative to the repository. */
  readonly meaning: string;
  /** Its value never appears in a message. */
  readonly isSecret?: true;
  /**
   * It protects something. A misspelling would switch the protection off, so a process that reads
   * it stops at a key that probably means it.
   */
  readonly isGuard?: true;
  /** What is wrong, or a part of it, is left out and said; it is no reason to stop. */
  readonly leavesOutWrong?: true;
}

export type SettingType =
  | { readonly is: 'wholeNumber'; readonly min: number; readonly max: number }
  | { readonly is: 'choice'; readonly of: readonly string[] }
  | {
      readonly is:
        | Exclude<keyof PlainValues, 'wholeNumber'>
        | 'address'
        | 'hosts'
        | 'tlsFiles'
        | 'store'
        | 'kafka'
        | 'projectRules'
        | 'billing'
        | 'labelRules'
        | 'pullRequests'
        | 'quota'
        | 'budgets'
        | 'webhooks'
        | 'mail';
    };

/** Value types that both processes can read. */
export interface PlainValues {
  wholeNumber: number;
  switch: boolean;
  url: string;
  token: string;
  name: string;
  allowance: Allowance;
}

/** An amount in one unit of budgets: kinds of money are never one sum. */
export interface Allowance {
  readonly unit: 'metered dollars' | 'list-price dollars' | 'tokens';
  /** Whole nano-dollars, or tokens. */
  readonly amount: bigint;
}
