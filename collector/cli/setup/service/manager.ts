/** Who runs programs in the background for a user: systemd, launchd. */
export interface ServiceManager {
  readonly name: 'systemd' | 'launchd';
  /** Where it looks for services of this user. */
  fileOf(service: string): string;
  /** The file's text; null where a path cannot be written into one. Pure. */
  textOf(program: ServiceProgram): string | null;
  /** Why it cannot be used here; null: it can. */
  lack(): Promise<string | null>;
  isRunning(service: string): Promise<boolean>;
  /** Takes the file as it is now, starts it, and does so at each login. Null, or what failed. */
  start(service: string): Promise<string | null>;
  /** Stops it, for good; the file may go then. Null, or what failed. */
  stop(service: string): Promise<string | null>;
  /** Once the file is gone. */
  forget(): Promise<void>;
  /** How a person sees what it printed. */
  logsOf(service: string): string;
}

export interface ServiceProgram {
  readonly service: string;
  /** The program with its arguments, as absolute paths. */
  readonly command: readonly string[];
  /** Nothing secret: the file is no place for it. */
  readonly environment: Readonly<Record<string, string>>;
}

/** How a manager's own program is run: whether it ended with 0, and the last line it printed. */
export type RunManager = (
  ...words: readonly string[]
) => Promise<{ readonly isGood: boolean; readonly lastLine: string }>;

/** No control character, such as a line end, has a place in either manager's file. */
export function isWritable(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return !/[\u0000-\u001f\u007f]/.test(text);
}
