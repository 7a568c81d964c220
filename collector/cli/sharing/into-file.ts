/** A document into a file, complete or not at all, or to standard output. */

import type { ExitCode, Terminal } from '../command.ts';
import { createExportFile } from '../transfer/export-file.ts';

/** A file that cannot be written is said before the ledger is asked. `-`: standard output. */
export async function intoFile(
  file: string,
  terminal: Terminal,
  make: () => Promise<{ readonly code: ExitCode; readonly text: string | Uint8Array }>,
): Promise<ExitCode> {
  if (file === '-') {
    const { code, text } = await make();
    await terminal.printRows(String(text));
    return code;
  }
  const written = await createExportFile(file);
  try {
    const { code, text } = await make();
    await written.write(text);
    await written.finish();
    terminal.print(`Written to ${file}.`);
    return code;
  } catch (error) {
    await written.discard();
    throw error;
  }
}
