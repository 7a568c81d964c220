/** Runs an exporter into a file, complete or not at all, or to standard output. */
import { sanitizeText } from '@pi-ledger/core/text/sanitize';
import { withLedger } from '../client/ledger-client.ts';
import { complainAbout } from '../client/standing.ts';
import type { ExitCode, Terminal } from '../command.ts';
import type { Note } from '../output/answer-parts.ts';
import type { FileExporter, FileExportOptions, Sink } from './exporter.ts';

export interface ExportTarget {
  /** `-`: standard output. */
  readonly file: string;
  /** Its readers take the escapes of standard output for other names. */
  readonly hasNoEscapes?: boolean;
  readonly options: FileExportOptions & { readonly json?: true };
}

export function exportInto(
  { file, options, hasNoEscapes = false }: ExportTarget,
  exporter: FileExporter,
  terminal: Terminal,
): Promise<ExitCode> {
  return withLedger(terminal, async (client) => {
    const run = (write: Sink) => exporter({ client, terminal, options, write });
    let isEscaped = false;
    const printed = (part: string | Uint8Array) => {
      isEscaped ||= hasNoEscapes && sanitizeText(String(part)) !== String(part);
      return writeOut(part, terminal);
    };
    const { text, summary, notes, isIncomplete } =
      file === '-' ? await run(printed) : await intoFile(file, run);
    if (file === '-') terminal.complain(`${text}.`);
    else
      terminal.print(options.json ? JSON.stringify({ file, ...summary }) : `${text} in ${file}.`);
    sayAll(isEscaped ? [...notes, escapedNote] : notes, terminal);
    return isIncomplete || isEscaped ? 1 : 0;
  });
}

const escapedNote: Note = {
  is: 'warning',
  text:
    'standard output has control characters of names as escapes (\\u001b), which are other ' +
    'names: write a file, with --output FILE',
};

function sayAll(notes: readonly Note[], terminal: Terminal): void {
  complainAbout(
    notes.filter(({ is }) => is === 'warning'),
    terminal,
  );
  for (const { is, text, next } of notes)
    if (is === undefined) terminal.complain(next === undefined ? text : `${text}: ${next}`);
}

async function intoFile<Result>(
  file: string,
  run: (write: Sink) => Promise<Result>,
): Promise<Result> {
  const { createExportFile } = await import('../transfer/export-file.ts');
  const written = await createExportFile(file);
  try {
    const result = await run(written.write);
    await written.finish();
    return result;
  } catch (error) {
    await written.discard();
    throw error;
  }
}

async function writeOut(part: string | Uint8Array, terminal: Terminal): Promise<void> {
  const error = await terminal.printRows(String(part));
  if (error !== null) throw notWritten(error);
}

function notWritten(error: NodeJS.ErrnoException): Error {
  return error.code === 'EPIPE'
    ? new Error('The reader closed the pipe: not everything was written.')
    : error;
}
