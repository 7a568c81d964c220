import type { Command } from 'commander';
import { expectTimeZone, resolvePeriod } from './period.ts';

/** What narrows every list and every sum; the API has the same names. */
export const filterNames = [
  'project',
  'user',
  'model',
  'host',
  'branch',
  'provider',
  'machine',
  'kind',
] as const;

/** What narrows sums of usage only. */
export const usageFilterNames = [
  'agentKind',
  'agent',
  'thinking',
  'costSource',
  'stopReason',
  'label',
] as const;

/** As the command line writes it: `agent-kind`. */
export function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export type FilterOptions = {
  readonly [name in (typeof filterNames)[number]]?: readonly string[];
} & {
  readonly [name in (typeof usageFilterNames)[number]]?: readonly string[];
} & {
  readonly since?: string;
  readonly until?: string;
  readonly timezone?: string;
};

/**
 * `kinds`: what `--kind` takes, if that is a closed set.
 * `names`: the filters that the answer knows.
 */
export function addFilterOptions(
  command: Command,
  kinds: readonly string[] = [],
  names: readonly (typeof filterNames)[number][] = filterNames,
): Command {
  command
    .option(
      '--since <when>',
      'from this day or hour on: 2026-11-22, 2026-11-22T14:00:00Z, today, yesterday, 7d, 24h',
    )
    .option('--until <when>', 'up to and including this day, or up to this hour');
  return addNameOptions(command, kinds, names);
}

function addNameOptions(
  command: Command,
  kinds: readonly string[] = [],
  names: readonly (typeof filterNames)[number][] = filterNames,
): Command {
  for (const name of names) {
    const choices = name === 'kind' && kinds.length > 0 ? `: ${kinds.join(', ')}` : '';
    command.option(`--${name} <name...>`, `only this ${name}, or any of several${choices}`);
  }
  return command;
}

/** `hasPeriod`: the command's own name says which days it is about. */
export function addUsageFilterOptions(
  command: Command,
  { hasPeriod = false }: { readonly hasPeriod?: boolean } = {},
): Command {
  if (hasPeriod) addNameOptions(command);
  else addFilterOptions(command);
  for (const flag of usageFilterNames.filter((name) => name !== 'label').map(flagOf)) {
    const what = flag === 'thinking' ? 'thinking level' : flag.replace('-', ' ');
    command.option(`--${flag} <name...>`, `only this ${what}, or any of several`);
  }
  return addLabelOption(command);
}

/** Adds the options of sums over days. */
export function addSumOptions(command: Command): Command {
  return command
    .option(
      '--timezone <name>',
      "count everybody's days in this zone (Europe/Berlin), not in each spender's own",
    )
    .option('--json', 'print JSON (amounts are decimal strings of 10^-9 USD)');
}

/** Lists of sessions and of what is in them: those that have records with the label. */
export function addLabelOption(command: Command): Command {
  return command.option(
    '--label <key=value...>',
    'only with this label; KEY= without it; of one key any, of several keys each',
  );
}

/** The API's parameters. `today` is in `--timezone`, or the reader's own zone without one. */
export function filterParameters(options: FilterOptions, now: Date): URLSearchParams {
  const parameters = new URLSearchParams();
  const timeZone = expectTimeZone(options.timezone);
  if (timeZone !== undefined) parameters.set('timezone', timeZone);
  for (const name of [...filterNames, ...usageFilterNames]) {
    for (const value of options[name] ?? []) {
      parameters.append(name, value);
    }
  }
  for (const [bound, moment] of Object.entries(resolvePeriod(options, now, timeZone)))
    if (moment !== undefined) parameters.set(bound, moment);
  return parameters;
}
