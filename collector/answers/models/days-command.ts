/** `pi-ledger models --by-day`: whether models are as fast as they were. */
import type { ModelDayList } from '@pi-ledger/contract/answers';
import type { Found } from '../../cli/client/found.ts';
import { importingLine } from '../../cli/client/importing.ts';
import { type ListOptions, showList } from '../../cli/client/show-list.ts';
import { whyEmpty } from '../../cli/client/why-empty.ts';
import type { ExitCode, Terminal } from '../../cli/command.ts';
import { printAnswer } from '../../cli/output/answer.ts';
import { firstLine } from '../../cli/output/first-line.ts';
import { modelDaysNotes, modelDaysTable } from './print-days.ts';

export function modelsByDay(options: ListOptions, terminal: Terminal): Promise<ExitCode> {
  return showList(options, terminal, {
    path: '/v1/models/days',
    views: ['timings'],
    why: (client) => whyEmpty(client, options, terminal),
    print: (found) => print(found, options, terminal),
  });
}

function print(
  { answer: { rows }, notes, empty, importing, source }: Found<ModelDayList>,
  options: ListOptions,
  terminal: Terminal,
): void {
  printAnswer(terminal, {
    importing: importingLine(importing, terminal),
    first: firstLine(options, terminal, { what: 'by day, model', source }),
    body: [empty ?? modelDaysTable(rows)],
    notes: [...notes, ...modelDaysNotes(rows)],
    wide: options.wide,
  });
}
