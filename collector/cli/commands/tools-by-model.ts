/** `pi-ledger tools --by-model`: which model calls which tool, and what that costs. */
import type { ToolModelList } from '@pi-ledger/contract/answers';
import type { Found } from '../client/found.ts';
import { importingLine } from '../client/importing.ts';
import { type ListOptions, showList } from '../client/show-list.ts';
import { whyNoTools } from '../client/why-empty.ts';
import type { ExitCode, Terminal } from '../command.ts';
import { printAnswer } from '../output/answer.ts';
import { toolModelsNotes, toolModelsTable } from '../output/answers/tool-models.ts';
import { firstLine } from '../output/first-line.ts';

export function toolsByModel(options: ListOptions, terminal: Terminal): Promise<ExitCode> {
  return showList(options, terminal, {
    path: '/v1/tools/models',
    view: 'timings',
    why: (client, parameters) => whyNoTools(client, parameters, options, terminal),
    print: (found) => print(found, options, terminal),
  });
}

function print(
  { answer, notes, empty, importing, source }: Found<ToolModelList>,
  options: ListOptions,
  terminal: Terminal,
): void {
  printAnswer(terminal, {
    importing: importingLine(importing, terminal),
    first: firstLine(options, terminal, { what: 'by tool, model', source }),
    body: [empty ?? toolModelsTable(answer)],
    notes: [...notes, ...(empty === null ? toolModelsNotes(answer) : [])],
    wide: options.wide,
  });
}
