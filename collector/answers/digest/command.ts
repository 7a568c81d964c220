import type { Command } from 'commander';
import { importingJson, importingLine, readImporting } from '../../cli/client/importing.ts';
import { withLedger } from '../../cli/client/ledger-client.ts';
import { leftOutNotes, readLeftOut } from '../../cli/client/left-out.ts';
import { standingNotes, warningTexts } from '../../cli/client/standing.ts';
import { unknownNotes } from '../../cli/client/unknown-names.ts';
import { nothingRecorded } from '../../cli/client/why-empty.ts';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../../cli/command.ts';
import {
  addLabelOption,
  addSumOptions,
  type FilterOptions,
  filterParameters,
} from '../../cli/filters.ts';
import type { Unit } from '../../cli/first-day.ts';
import { addWideOption, printAnswer } from '../../cli/output/answer.ts';
import { firstLine } from '../../cli/output/first-line.ts';
import { resolveMoment } from '../../cli/period.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../../cli/sharing/showing.ts';
import { chartOf } from '../usage/print-daily-spend.ts';

const filterNames = ['project', 'user', 'provider', 'model', 'host'] as const;
const units = ['day', 'week', 'month'] as const;

type DigestOptions = Pick<FilterOptions, (typeof filterNames)[number] | 'label' | 'timezone'> &
  ShowingOptions & { readonly [name in Unit]?: true } & { readonly wide?: true };

/** `pi-ledger digest`: a day, a week or a month in one text, for people who do not ask. */
export const digestCommand: CliCommand = {
  examples: {
    digest: [
      ['pi-ledger digest', 'this week so far'],
      ['pi-ledger digest --week yesterday --markdown', 'on a Monday: the week that is over'],
      ['pi-ledger digest --month 2026-10-01 --html october.html', 'a month, with a chart'],
    ],
  },
  define(program, terminal, exit) {
    const command: Command = program
      .command('digest')
      .description('sum up a day, a week or a month, beside the one before it')
      .argument('[day]', 'any day of it: 2026-11-22, today, yesterday, 7d', 'today')
      .option('--day', 'that day')
      .option('--week', 'its week, from Monday to Sunday (what is meant without an option)')
      .option('--month', 'its month');
    addSumOptions(command);
    for (const name of filterNames)
      command.option(`--${name} <name...>`, `only this ${name}, or any of several`);
    addLabelOption(addShowingOptions(addWideOption(command))).action(
      async (day: string, options: DigestOptions) => {
        exit(await showing(options, terminal, (shown) => digest(day, options, shown)));
      },
    );
  },
};

/** Where each day begins first: days are the spenders' own where no zone is chosen. */
const firstZone = 'Etc/GMT-14';

async function digest(text: string, options: DigestOptions, terminal: Terminal): Promise<ExitCode> {
  const { digestPeriod } = await import('./period.ts');
  const { askDigest, within } = await import('./ask.ts');
  const now = terminal.now();
  const dayOf = (day: string, zone = options.timezone) => resolveMoment('day', day, now, zone);
  const filters = filterParameters(options, now);
  const day = resolveDay(text, now, options.timezone);
  const period = digestPeriod(unitOf(options), day, {
    today: dayOf('today'),
    latest: dayOf('today', options.timezone ?? firstZone),
    nowMs: now.getTime(),
  });
  return withLedger(terminal, async (client) => {
    const standing = await standingNotes(client);
    const warnings = [...standing, ...(await unknownNotes(client, options))];
    const importing = await readImporting(terminal, client);
    const nothing = options.json ? null : await nothingRecorded(client, terminal);
    const found = await askDigest(client, period, filters);
    const { digestNotes, digestParts } = await import('./answer.ts');
    const { comparedText } = await import('./totals.ts');
    const { unit, since, until } = period;
    const what = `${unit}${period.isPartial ? ' so far' : ''}`;
    const chart = await chartOf(terminal, client, within(filters, period), until);
    if (options.json)
      terminal.printJson({ ...found, ...warningTexts(warnings), ...importingJson(importing) });
    else
      printAnswer(terminal, {
        importing: importingLine(importing, terminal),
        first: firstLine({ ...options, since, until }, terminal, { what, source: client.source }),
        body:
          nothing !== null
            ? [nothing]
            : [
                comparedText(period, options.timezone),
                '',
                ...(chart === null ? [] : [chart]),
                ...digestParts(found, terminal),
              ],
        notes: [
          ...warnings,
          ...leftOutNotes(await readLeftOut(terminal, client)),
          ...digestNotes(found, filters),
        ],
        wide: options.wide,
        timeZone: options.timezone,
      });
    return standing.length > 0 ? 1 : 0;
  });
}

/** Throws a UsageError. */
function resolveDay(text: string, now: Date, timeZone: string | undefined): string {
  let day = '';
  try {
    day = resolveMoment('day', text, now, timeZone);
  } catch {
    // Said below, without an option that was not used.
  }
  if (day.length === 10) return day;
  throw new UsageError(`digest: expected a day (2026-11-22, today, yesterday, 7d), got "${text}"`);
}

function unitOf(options: DigestOptions): Unit {
  const [unit = 'week', ...others] = units.filter((name) => options[name]);
  if (others.length > 0)
    throw new UsageError(`--${unit}, --${others.join(', --')}: one of them, not both.`);
  return unit;
}
