import type { Terminal } from './command.ts';

/** Where a person finds the page; nothing for a program that reads the output. */
export function sayPage(terminal: Pick<Terminal, 'columns' | 'print'>, url: string): void {
  if (terminal.columns !== null) terminal.print(`Open ${url}/`);
}
