/** What a command says when it fails: what was tried, what came back, what to do; one line each. */

import { fileReason } from '@pi-ledger/core/machine/file-reason';
import { CommanderError } from 'commander';
import { LedgerError } from '../errors.ts';
import { RefusedError } from './client/ledger-client.ts';
import { type ExitCode, type Terminal, UsageError } from './command.ts';
import { asCalled } from './own-line.ts';

/** Commander has printed its complaint already; help and version end with an error as well. */
export function explain(error: unknown, terminal: Terminal): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const text = asCalled(terminal, `error: ${whyOf(error)}`);
  terminal.complain({ text, style: 'error' });
  if (error instanceof UsageError) for (const detail of error.details) terminal.complain(detail);
  const isUsageError =
    error instanceof UsageError ||
    (error instanceof LedgerError && error.exitCode === 2) ||
    (error instanceof RefusedError && error.status === 400);
  return isUsageError ? 2 : 1;
}

/** An error in words; those of Node without their codes. */
export function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { path, message } = error as NodeJS.ErrnoException;
  const reason = fileReason(error);
  if (reason === undefined) return message;
  return `${path ?? pathIn(message)} cannot be used: ${reason}`;
}

/** `EISDIR: /home/ada/collector.json` */
function pathIn(message: string): string {
  return /(\/\S*|[A-Z]:\\\S*)/.exec(message)?.[1]?.replace(/['"]$/, '') ?? 'a file';
}
