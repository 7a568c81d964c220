/** Commands that print the same numbers, with the scope of the page. */
import { sanitizeLine } from '../../../core/text/sanitize.ts';
import type { Period } from '../state/period.ts';
import type { Place } from '../state/place.ts';
import { filterNames } from '../state/scope.ts';

/** Which of the page's filters a command has. */
interface CommandTakes {
  readonly labels: boolean;
  readonly timezone: boolean;
}

/** Single requests have no labels. */
export const withoutLabels: CommandTakes = { labels: false, timezone: true };
/** What changed is told of the spenders' own days. */
export const withoutZone: CommandTakes = { labels: true, timezone: false };
/** Models and tools are counted by the spender's day. */
export const withoutLabelsOrZone: CommandTakes = { labels: false, timezone: false };

/** No end: until now. */
type AskedDays = Pick<Period, 'since'> & Partial<Pick<Period, 'until' | 'latest'>>;

/** `pi-ledger report --by project --since 2026-10-24 --until 2026-11-22 --project shop` */
export function commandOf(
  words: string,
  place: Place,
  { since, until, latest = until }: AskedDays,
  takes: CommandTakes = { labels: true, timezone: true },
): string {
  const filters = filterNames.flatMap((name) => {
    const value = place.parameters[name];
    return value === undefined ? [] : [`--${name} ${quoted(value)}`];
  });
  const labels = Object.entries(place.parameters).flatMap(([name, value]) =>
    takes.labels && name.startsWith('label:')
      ? [`--label ${quoted(`${name.slice('label:'.length)}=${value}`)}`]
      : [],
  );
  const zone =
    !takes.timezone || place.parameters.tz === undefined
      ? []
      : [`--timezone ${quoted(place.parameters.tz)}`];
  const end = latest === undefined ? [] : [`--until ${latest}`];
  return [words, `--since ${since}`, ...end, ...filters, ...labels, ...zone].join(' ');
}

/** A command that begins with `pi-ledger`, as it is typed where it begins with `own`. */
export function beginning(own: string, command: string): string {
  return command.replace(/^pi-ledger(?= )/, () => own);
}

/** The same of the commands in a sentence. */
export function inText(own: string, text: string): string {
  return text.replaceAll('`pi-ledger ', () => `\`${own} `);
}

/**
 * As a shell takes it for one word. Names come from others, and a command is pasted into a
 * terminal: what is not seen is spelled out.
 */
function quoted(text: string): string {
  if (/^[\w.@:/=+-]+$/.test(text) && !text.startsWith('-')) return text;
  if (sanitizeLine(text) === text) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${sanitizeLine(text.replaceAll(/['\\]/g, String.raw`\$&`))}'`;
}
