/**
 * A text on this process' stderr, disarmed: the only way of the extension to a terminal beside the
 * host's interface (host.ts).
 */
import { disarmLines } from './disarm.ts';

export function complain(text: string): void {
  process.stderr.write(`${disarmLines(text)}\n`);
}
