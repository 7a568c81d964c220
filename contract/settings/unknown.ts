/** Finds unknown keys of `config.json` and unknown variables. Pure. */
import { misspeltKey, misspeltVariable, type UnknownSetting } from './misspelt.ts';
import { settingList, settings, variablesWithoutKey } from './settings.ts';

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
