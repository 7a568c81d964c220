import type { ToolList } from '@pi-ledger/contract/answers';
import type { Found } from '../../cli/client/found.ts';
import { importingLine } from '../../cli/client/importing.ts';
import { type ListOptions, showList } from '../../cli/client/show-list.ts';
import { whyNoTools } from '../../cli/client/why-empty.ts';
import type { CliCommand, ExitCode, Terminal } from '../../cli/command.ts';
import { UsageError } from '../../cli/command.ts';
import { addFilterOptions } from '../../cli/filters.ts';
import { addWideOption, printAnswer } from '../../cli/output/answer.ts';
import { firstLine } from '../../cli/output/first-line.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../../cli/sharing/showing.ts';
import { toolsByModel, toolsWithCosts } from './costs-command.ts';
import { toolsNotes, toolsTable } from './print.ts';

type ToolsOptions = ListOptions &
  ShowingOptions & { readonly byModel?: true; readonly costs?: true };

/** `pi-ledger tools`: which tools are called, fail, take long or fill windows. */
export const toolsCommand: CliCommand = {
  examples: {
    tools: [
      ['pi-ledger tools --project shop', 'calls, failures and duration of each tool'],
      ['pi-ledger tools --costs --since 30d', 'what the answers that called each tool cost'],
      ['pi-ledger tools --by-model --since 30d', 'what each model asked of each, and its cost'],
    ],
  },
  define(program, terminal, exit) {
    const command = program
      .command('tools')
      .description('show how often tools were called, failed and how long they took')
      .option('--costs', 'what the answers that called each cost, and when it was last used')
      .option('--by-model', 'which model called each, and what the answers that did cost')
      .option('--json', 'print JSON')
      .option('--csv', 'print CSV');
    const names = ['project', 'user', 'model', 'host', 'provider'] as const;
    addFilterOptions(addShowingOptions(addWideOption(command)), [], names).action(
      async (options: ToolsOptions) => {
        exit(await showing(options, terminal, (shown) => answerOf(options, shown)));
      },
    );
  },
};

async function answerOf(options: ToolsOptions, terminal: Terminal): Promise<ExitCode> {
  if (options.byModel && options.costs)
    throw new UsageError('--costs: not with --by-model, which says what each model cost');
  if (options.byModel) return toolsByModel(options, terminal);
  if (options.costs) return toolsWithCosts(options, terminal);
  for (const name of ['model', 'provider'] as const)
    if (options[name] !== undefined)
      throw new UsageError(
        `--${name}: only with --costs or --by-model, since results do not name their model`,
      );
  return showList(options, terminal, {
    path: '/v1/tools',
    views: ['timings'],
    why: (client, parameters) => whyNoTools(client, parameters, options, terminal),
    print: (found) => print(found, options, terminal),
  });
}

function print(
  { answer: { rows, total }, notes, empty, importing, source }: Found<ToolList>,
  options: ToolsOptions,
  terminal: Terminal,
): void {
  printAnswer(terminal, {
    importing: importingLine(importing, terminal),
    first: firstLine(options, terminal, { what: 'by tool', source }),
    body: [empty ?? toolsTable(rows, total)],
    notes: [...notes, ...(empty === null ? toolsNotes(total) : [])],
    wide: options.wide,
  });
}
