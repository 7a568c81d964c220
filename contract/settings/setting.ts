/**
 * What is said of one key of `config.json`. Types only: the settings themselves are in
 * `settings.ts`.
 */

/** Who reads `config.json`. */
export type Process = 'extension' | 'collector';

export interface Setting {
  /** The other one leaves the key alone. */
  readonly readBy: Process | 'both';
  /** Of the environment; it wins over the file. Absent: the file alone says it. */
  readonly variable?: string;
  readonly type: SettingType;
  readonly unit?: string;
  /** Null: it is not set, and has no value. */
  readonly default:
    | null
    | boolean
    | number
    | string
    | readonly unknown[]
    | Readonly<Record<string, unknown>>;
  /** For people, where the default depends on other settings. */
  readonly defaultText?: string;
  /** What zero does, where it does something of its own. */
  readonly zero?: string;
  /** For the documentation, in Markdown; links are relative to the repository. */
  readonly meaning: string;
  /** Its value is in no message. */
  readonly isSecret?: true;
  /**
   * It keeps something back. Whoever misspells it has let that through, so a process that reads it
   * stops at a key that is probably it.
   */
  readonly isGuard?: true;
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
        | 'projectRules'
        | 'billing';
    };

/** Of the types that both processes can read. */
export interface PlainValues {
  wholeNumber: number;
  switch: boolean;
  url: string;
  token: string;
  name: string;
}
