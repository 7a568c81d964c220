import type { Command } from 'commander';
import { resolveMoment } from './period.ts';

/** What every list and sum can be narrowed by; the API takes the same names. */
const filterNames = [
  'project',
  'user',
  'model',
  'host',
  'branch',
  'provider',
  'machine',
  'kind',
] as const;

export type FilterOptions = {
  readonly [name in (typeof filterNames)[number]]?: readonly string[];
} & {
  readonly since?: string;
  readonly until?: string;
};

/** `kinds`: what `--kind` takes, where that is a closed set. */
export function addFilterOptions(command: Command, kinds: readonly string[] = []): Command {
  command
    .option(
      '--since <when>',
      'from this day or instant (its full hour) on: 2026-11-22, 2026-11-22T14:00:00Z, today, yesterday, 7d, 24h',
    )
    .option('--until <when>', 'up to this day (inclusive) or instant (its full hour, exclusive)');
  for (const name of filterNames) {
    const names = name === 'kind' && kinds.length > 0 ? `: ${kinds.join(', ')}` : '';
    command.option(`--${name} <name...>`, `only this ${name} (any of them, if several)${names}`);
  }
  return command;
}

/** `timeZone`: where "today" is; the reader's own when there is none. */
export function filterParameters(
  options: FilterOptions,
  now: Date,
  timeZone?: string,
): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const name of filterNames) {
    for (const value of options[name] ?? []) {
      parameters.append(name, value);
    }
  }
  for (const bound of ['since', 'until'] as const) {
    const text = options[bound];
    if (text !== undefined) {
      parameters.set(bound, resolveMoment(bound, text, now, timeZone));
    }
  }
  return parameters;
}
