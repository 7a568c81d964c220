/**
 * Reads settings: the environment overrides `config.json`. Both processes use this, so that they
 * agree on every value.
 *
 * Blanks around a value are none of it. An empty variable counts as not set, and so does a key
 * that is `null`. Text in the file is read like a variable: `"8000"` is a port. An invalid value
 * becomes a problem that names its place and what was expected; none is repaired silently, and no
 * message contains a secret. Pure.
 */
import { misspeltKey, misspeltVariable, type UnknownSetting } from './misspelt.ts';
import { type Complain, findPlainReader, type ValueReader } from './plain-readers.ts';
import type { PlainValues, Process, Setting, SettingType } from './setting.ts';
import {
  type SettingKey,
  type Settings,
  settingList,
  settings,
  variablesWithoutKey,
} from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the user wrote. */
export interface WrittenSettings {
  readonly environment: Environment;
  /** `config.json`. */
  readonly file: Readonly<Record<string, unknown>>;
}

export interface SettingProblem {
  readonly key: SettingKey;
  readonly message: string;
}

interface SettingsRead<Values> {
  readonly values: Values;
  /**
   * With these the process cannot do what it was told, so it does nothing: invalid values, and
   * protective settings that are probably misspelt.
   */
  readonly problems: readonly SettingProblem[];
  /** Other unknown keys and variables: reported, but no reason to stop. */
  readonly doubts: readonly string[];
  /** Values, and parts of them, that cannot be read: reported, and the default holds. */
  readonly leftOut: readonly SettingProblem[];
}

type ReadBy<Who extends Process> = {
  [Key in SettingKey]: Settings[Key]['readBy'] extends Who | 'both' ? Key : never;
}[SettingKey];

type ValueOf<Type extends SettingType, Special> = Type extends {
  is: 'choice';
  of: readonly (infer Choice)[];
}
  ? Choice
  : Type['is'] extends keyof PlainValues
    ? PlainValues[Type['is']]
    : Type['is'] extends keyof Special
      ? Special[Type['is']]
      : never;

/**
 * The values of all settings that a process reads. `Special`: the values of its own setting types.
 */
export type SettingValues<Who extends Process, Special = unknown> = {
  readonly [Key in ReadBy<Who>]:
    | ValueOf<Settings[Key]['type'], Special>
    | (Settings[Key]['default'] extends null ? null : never);
};

/** Readers for the setting types of one process. */
type SpecialReaders<Special> = { readonly [Is in keyof Special]: ValueReader<Special[Is]> };

export function readSettings<Who extends Process, Special>(
  who: Who,
  written: WrittenSettings,
  special: SpecialReaders<Special>,
): SettingsRead<SettingValues<Who, Special>> {
  const values: Record<string, unknown> = {};
  const problems: SettingProblem[] = [];
  const doubts: string[] = [];
  const leftOut: SettingProblem[] = [];
  for (const [key, setting] of settingList.filter(([, { readBy }]) => isReadBy(who, readBy))) {
    const reader = findPlainReader(setting.type) ?? special[setting.type.is as keyof Special];
    values[key] =
      readOne(key, setting, written, reader, (message) => {
        if (setting.leavesOutWrong) leftOut.push({ key, message: `${message}; it is left out` });
        else problems.push({ key, message });
      }) ?? setting.default;
  }
  for (const { message, guard } of unknownSettings(written)) {
    if (guard === null || !isReadBy(who, settings[guard].readBy)) doubts.push(message);
    else (leavesOutWrong(guard) ? leftOut : problems).push({ key: guard, message });
  }
  return { values: values as SettingValues<Who, Special>, problems, doubts, leftOut };
}

function leavesOutWrong(key: SettingKey): boolean {
  const setting: Setting = settings[key];
  return setting.leavesOutWrong === true;
}

function isReadBy(who: Process, readBy: Setting['readBy']): boolean {
  return readBy === who || readBy === 'both';
}

/** Undefined: not set, or invalid. */
function readOne(
  key: SettingKey,
  { variable, isSecret }: Setting,
  { environment, file }: WrittenSettings,
  { read, expected }: ValueReader<unknown>,
  report: (message: string) => void,
): unknown {
  const text = variable === undefined ? undefined : environment[variable]?.trim();
  const written = text ? text : withoutBlanks(file[key]);
  if (written === undefined || written === null) return undefined;
  const complain: Complain = (path, part, fit) =>
    report(`${nameInFile(path)} is ${shown(part)}, expected ${fit}`);
  const value = read(written, complain);
  const name = text ? variable : nameInFile(key);
  if (value === undefined)
    report(`${name} is ${isSecret ? 'not valid' : shown(written)}, expected ${expected}`);
  return value;
}

function withoutBlanks(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

function nameInFile(path: string): string {
  return `"${path}" in config.json`;
}

/** The value as written, truncated. */
function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}

// Finds unknown keys of `config.json` and unknown variables. Pure.

interface Names {
  readonly environment: Readonly<Record<string, unknown>>;
  readonly file: Readonly<Record<string, unknown>>;
}

export function unknownSettings({ environment, file }: Names): readonly UnknownSetting[] {
  const keys = Object.keys(file).filter((key) => !Object.hasOwn(settings, key));
  const variables = Object.keys(environment).filter(
    (name) => name.startsWith(prefix) && !known.has(name) && environment[name],
  );
  return [
    ...keys.map((key) => misspeltKey(key)),
    ...variables.flatMap((name) => misspeltVariable(name, prefix)),
  ];
}

const prefix = 'PI_LEDGER_';
const known: ReadonlySet<string> = new Set([
  ...settingList.map(([, { variable }]) => variable ?? ''),
  ...variablesWithoutKey,
]);
