/** `pi-ledger models --by-day`: whether models are as fast as they were. */
import type { ModelDayList } from '@pi-ledger/contract/answers';
import type { Found } from '../client/found.ts';
import { importingJson, importingLine, readImporting } from '../client/importing.ts';
import { withLedger } from '../client/ledger-client.ts';
import { complainOf, standingNotes, warningTexts } from '../client/standing.ts';
import { unknownNotes } from '../client/unknown-names.ts';
import { whyEmpty } from '../client/why-empty.ts';
import type { ExitCode, Terminal } from '../command.ts';
import { type FilterOptions, filterParameters } from '../filters.ts';
import { printAnswer } from '../output/answer.ts';
import { modelDaysNotes, modelDaysTable } from '../output/answers/model-days.ts';
import { firstLine } from '../output/first-line.ts';

export interface ByDayOptions extends FilterOptions {
  readonly json?: true;
  readonly csv?: true;
  readonly wide?: true;
}

export async function modelsByDay(options: ByDayOptions, terminal: Terminal): Promise<ExitCode> {
  const parameters = filterParameters(options, terminal.now());
  return withLedger(terminal, async (client) => {
    const standing = await standingNotes(client, 'timings');
    const notes = [...standing, ...(await unknownNotes(client, options))];
    if (options.csv) {
      parameters.set('format', 'csv');
      await terminal.printRows(await client.getCsv('/v1/models/days', parameters));
      complainOf(notes, terminal);
    } else {
      const { next: _, ...answer } = await client.getAll('/v1/models/days', parameters);
      const isEmpty = answer.rows.length === 0 && !options.json;
      const empty = isEmpty ? await whyEmpty(client, options, terminal) : null;
      const importing = await readImporting(terminal, client);
      const found = { answer, notes, empty, importing, source: client.source };
      if (options.json)
        terminal.printJson({ ...answer, ...warningTexts(notes), ...importingJson(importing) });
      else print(found, options, terminal);
    }
    return standing.length === 0 ? 0 : 1;
  });
}

function print(
  { answer: { rows }, notes, empty, importing, source }: Found<Pick<ModelDayList, 'rows'>>,
  options: ByDayOptions,
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
