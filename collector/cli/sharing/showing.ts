/**
 * How an answer is shown: as lines, again and again (`--watch`), or as a document for others.
 *
 *     addShowingOptions(command).action(async (options) => {
 *       exit(await showing(options, terminal, (shown) => report(options, shown)));
 *     });
 */
import type { Command } from 'commander';
import { type ExitCode, type Terminal, UsageError } from '../command.ts';
import type { Answer } from '../output/answer.ts';
import { addWatchOption, watching } from '../watch.ts';
import type { Document } from './document.ts';

export interface ShowingOptions {
  readonly watch?: true | string;
  readonly json?: true;
  readonly csv?: true;
  readonly markdown?: true;
}

const kinds = ['watch', 'json', 'csv', 'markdown'] as const;

export function addShowingOptions(command: Command): Command {
  return addWatchOption(command).option('--markdown', 'print Markdown, for an issue or a chat');
}

/** `show` prints its answer with `printAnswer` on the terminal that it is given. */
export async function showing(
  options: ShowingOptions,
  terminal: Terminal,
  show: (terminal: Terminal) => Promise<ExitCode>,
): Promise<ExitCode> {
  expectOne(options);
  if (options.markdown === undefined)
    return watching(options.watch, terminal, () => show(terminal));
  const answers: Answer[] = [];
  const document = { hasCharts: false, take: (answer: Answer) => void answers.push(answer) };
  const code = await show({ ...terminal, columns: null, colour: false, document });
  const { documentOf } = await import('./document.ts');
  await printMarkdown(
    answers.map((answer) => documentOf(answer, terminal)),
    terminal,
  );
  return code;
}

async function printMarkdown(documents: readonly Document[], terminal: Terminal): Promise<void> {
  const { markdownOf } = await import('./markdown.ts');
  await terminal.printRows(documents.map(markdownOf).join('\n'));
}

/** Throws a UsageError. */
function expectOne(options: ShowingOptions): void {
  const given = kinds.filter((kind) => options[kind] !== undefined);
  if (given.length > 1)
    throw new UsageError(`${given.map((kind) => `--${kind}`).join(', ')}: one of them, not both.`);
}
