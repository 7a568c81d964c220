/** What a user gets to see of the extension besides its commands. */
import type { HostEvent } from './json-lines.ts';
import type { HostRun } from './processes.ts';

/** Lines on stderr that speak for the ledger. */
export function noticesOnStderr({ stderr }: Pick<HostRun, 'stderr'>): readonly string[] {
  return stderr.split('\n').filter((line) => line.includes('pi-ledger'));
}

/** stderr without them. */
export function stderrWithoutNotices({ stderr }: Pick<HostRun, 'stderr'>): string {
  return stderr
    .split('\n')
    .filter((line) => !line.includes('pi-ledger'))
    .join('\n');
}

/** In RPC mode a host hands them to its client. */
export function noticesInEvents(events: readonly HostEvent[]): readonly string[] {
  const requests = events.filter(({ type, method }) => type === 'extension_ui_request' && method === 'notify');
  return requests.map(({ message }) => String(message)).filter((message) => message.includes('pi-ledger'));
}
