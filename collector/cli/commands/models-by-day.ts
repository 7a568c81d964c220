/** `pi-ledger models --by-day`: whether models are as fast as they were. */
import type { ModelDayList } from '@pi-ledger/contract/answers';
import type { Found } from '../client/found.ts';
import { importingLine } from '../client/importing.ts';
import { type ListOptions, showList } from '../client/show-list.ts';
import { whyEmpty } from '../client/why-empty.ts';
import type { ExitCode, Terminal } from '../command.ts';
import { printAnswer } from '../output/answer.ts';
import { modelDaysNotes, modelDaysTable } from '../output/answers/model-days.ts';
import { firstLine } from '../output/first-line.ts';

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
