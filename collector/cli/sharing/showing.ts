/**
 * How an answer is shown: as lines, again and again (`--watch`), or as a document for others.
 *
 *     addShowingOptions(command).action(async (options) => {
 *       exit(await showing(options, terminal, (shown) => report(options, shown)));
 *     });
 */
import type { Command } from 'commander';
import { type ExitCode, type Terminal, UsageError } from '../command.ts';
import type { Answer } from '../output/answer-parts.ts';
import { formatTime } from '../output/format.ts';
import { addWatchOption, watching } from '../watch.ts';

export interface ShowingOptions {
  readonly watch?: true | string;
  readonly json?: true;
  readonly csv?: true;
  readonly markdown?: true;
  readonly html?: string;
  readonly timezone?: string;
}

const kinds = ['watch', 'json', 'csv', 'markdown', 'html'] as const;

export function addShowingOptions(command: Command): Command {
  return addWatchOption(command)
    .option('--markdown', 'print Markdown, for an issue or a chat')
    .option('--html <file>', 'write one HTML file, for a browser or a mail; -: standard output');
}

/** `show` prints its answer with `printAnswer` on the terminal that it is given. */
export async function showing(
  options: ShowingOptions,
  terminal: Terminal,
  show: (terminal: Terminal) => Promise<ExitCode>,
): Promise<ExitCode> {
  expectOne(options);
  const { markdown, html, watch } = options;
  if (markdown) {
    const { code, documents } = await documentsOf(terminal, false, show);
    const { markdownOf } = await import('./markdown.ts');
    await terminal.printRows(documents.map(markdownOf).join('\n'));
    return code;
  }
  if (html === undefined) return watching(watch, terminal, () => show(terminal));
  const { intoFile } = await import('./into-file.ts');
  return intoFile(html, terminal, async () => {
    const { code, documents } = await documentsOf(terminal, true, show);
    const { htmlOf } = await import('./html.ts');
    return { code, text: htmlOf(documents, madeAt(terminal, options)) };
  });
}

/** Throws a UsageError. */
function expectOne(options: ShowingOptions): void {
  const given = kinds.filter((kind) => options[kind] !== undefined);
  if (given.length > 1)
    throw new UsageError(`${given.map((kind) => `--${kind}`).join(', ')}: one of them, not both.`);
}

async function documentsOf(
  terminal: Terminal,
  hasCharts: boolean,
  show: (terminal: Terminal) => Promise<ExitCode>,
) {
  const answers: Answer[] = [];
  const document = { hasCharts, take: (answer: Answer) => void answers.push(answer) };
  const code = await show({ ...terminal, columns: null, colour: false, document });
  const { documentOf } = await import('./document.ts');
  return { code, documents: answers.map((answer) => documentOf(answer, terminal)) };
}

/** `2026-11-22 14:05 Europe/Berlin`. */
function madeAt({ now }: Terminal, { timezone }: ShowingOptions): string {
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions();
  return `${formatTime(now().toISOString(), timeZone)} ${timeZone}`;
}
