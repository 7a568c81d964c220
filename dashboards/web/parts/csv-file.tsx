/** A button that saves a table as a file. */
import type { JSX } from 'preact';
import { Press } from './press.tsx';
import { saveFile } from './save-file.ts';

/** What takes longer may fail, in words for the reader. */
export function CsvFile({ text }: { text(): string | Promise<string> }): JSX.Element {
  const act = async (button: HTMLElement) => {
    const section = button.closest('section');
    saveFile(new Blob([await text()], { type: 'text/csv' }), section, 'csv');
    return 'Saved';
  };
  return <Press words="CSV" title="Save as a file" failed="Not saved" act={act} />;
}
