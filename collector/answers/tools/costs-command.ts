/** `pi-ledger tools --costs` and `--by-model`: what the answers that called tools cost. */
import type { ToolCostList, ToolModelList } from '@pi-ledger/contract/answers';
import type { Found } from '../../cli/client/found.ts';
import { importingLine } from '../../cli/client/importing.ts';
import { type ListOptions, showList } from '../../cli/client/show-list.ts';
import { whyNoTools } from '../../cli/client/why-empty.ts';
import type { ExitCode, Terminal } from '../../cli/command.ts';
import { printAnswer } from '../../cli/output/answer.ts';
import type { Table } from '../../cli/output/answer-parts.ts';
import { firstLine } from '../../cli/output/first-line.ts';
import { toolCostsNotes, toolCostsTable, toolModelsTable } from './print-costs.ts';

interface Shown<Answer extends ToolCostList | ToolModelList> {
  readonly path: '/v1/tools/costs' | '/v1/tools/models';
  readonly what: string;
  readonly table: (answer: Answer) => Table;
}

export function toolsWithCosts(options: ListOptions, terminal: Terminal): Promise<ExitCode> {
  return show<ToolCostList>(
    { path: '/v1/tools/costs', what: 'by tool', table: toolCostsTable },
    options,
    terminal,
  );
}

export function toolsByModel(options: ListOptions, terminal: Terminal): Promise<ExitCode> {
  return show<ToolModelList>(
    { path: '/v1/tools/models', what: 'by tool, model', table: toolModelsTable },
    options,
    terminal,
  );
}

function show<Answer extends ToolCostList | ToolModelList>(
  { path, what, table }: Shown<Answer>,
  options: ListOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return showList(options, terminal, {
    path,
    views: ['timings'],
    why: (client, parameters) => whyNoTools(client, parameters, options, terminal),
    print: ({ answer, notes, empty, importing, source }: Found<Answer>) =>
      printAnswer(terminal, {
        importing: importingLine(importing, terminal),
        first: firstLine(options, terminal, { what, source }),
        body: [empty ?? table(answer)],
        notes: [...notes, ...(empty === null ? toolCostsNotes(answer.total) : [])],
        wide: options.wide,
      }),
  });
}
