/** The first line of an answer: its period, whose days, its filters, where it comes from. */
import type { Terminal } from '../command.ts';
import { type FilterOptions, filterNames, flagOf, usageFilterNames } from '../filters.ts';
import { resolveMoment } from '../period.ts';
import { formatDay, formatMoment, formatTime } from './format.ts';

interface Said {
  /** `by project`, `newest first`. */
  readonly what?: string;
  /** It is the collector that the user named, as the client says; null is this machine's ledger. */
  readonly source?: string | null;
}

/** Some answers take more filters than all do. */
type Filters = FilterOptions & {
  readonly [name in (typeof furtherNames)[number]]?: readonly string[];
};

const furtherNames = ['session', 'trigger'] as const;

export function firstLine(
  options: Filters,
  terminal: Pick<Terminal, 'now' | 'document'>,
  { what, source }: Said = {},
): string {
  return [
    `${periodText(options, terminal)}, ${daysText(options.timezone)}`,
    ...filterTexts(options),
    ...(what === undefined ? [] : [what]),
    ...(source ? [`from ${source}`] : []),
  ].join(' · ');
}

/** `23 Oct to 22 Nov`, `all time`. A document, which is read later, says every year. */
function periodText(
  { since, until, timezone }: FilterOptions,
  { now: clock, document }: Pick<Terminal, 'now' | 'document'>,
): string {
  const now = clock();
  const [day = ''] = formatTime(now.toISOString(), timezone).split(' ');
  const today = document === undefined ? day : '';
  const said = (option: 'since' | 'until', text: string) => {
    const moment = resolveMoment(option, text, now, timezone);
    return moment.length === 10
      ? formatDay(moment, today)
      : formatMoment(moment, { now, timeZone: timezone, withTime: true });
  };
  if (since === undefined && until === undefined) return 'all time';
  const end = until === undefined ? formatDay(day, today) : said('until', until);
  if (since === undefined) return `up to ${end}`;
  const begin = said('since', since);
  return begin === end ? begin : `${begin} to ${end}`;
}

function daysText(timeZone: string | undefined): string {
  return timeZone === undefined ? "each in the spender's own day" : `days in ${timeZone}`;
}

/** `all projects`, `project shop, lab`, `cost-source catalog`: as the options are called. */
function filterTexts(options: Filters): readonly string[] {
  const set = [...filterNames, ...usageFilterNames, ...furtherNames].flatMap((name) => {
    const values = options[name];
    return values === undefined ? [] : [`${flagOf(name)} ${values.join(', ')}`];
  });
  return options.project === undefined ? ['all projects', ...set] : set;
}
