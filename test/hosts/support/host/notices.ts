/** What a user sees of the extension besides its commands. */
import type { HostEvent } from './json-lines.ts';
import type { HostRun } from './processes.ts';

/** Lines on stderr from the ledger. */
export function noticesOnStderr({ stderr }: Pick<HostRun, 'stderr'>): readonly string[] {
  return stderr.split('\n').filter((line) => line.startsWith('pi-ledger'));
}

/**
 * stderr without them, and without omp's own message when a busy machine takes 10 s to start it.
 */
export function stderrWithoutNotices({ stderr }: Pick<HostRun, 'stderr'>): string {
  return stderr
    .split('\n')
    .filter((line) => !line.startsWith('pi-ledger') && !isOfSlowStart(line))
    .join('\n');
}

function isOfSlowStart(line: string): boolean {
  return (
    line.startsWith('Still starting after') ||
    /^ {2}logs: .* re-run with PI_DEBUG_STARTUP=1/.test(line)
  );
}

/** In RPC mode a host passes them to its client. */
export function noticesInEvents(events: readonly HostEvent[]): readonly string[] {
  const requests = events.filter(
    ({ type, method }) => type === 'extension_ui_request' && method === 'notify',
  );
  return requests
    .map(({ message }) => String(message))
    .filter((message) => message.startsWith('pi-ledger'));
}
