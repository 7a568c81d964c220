/**
 * Writes sanitized text to this process' stderr: the extension's only way to a terminal besides the
 * host's interface (host.ts).
 */
import { disarmLines } from './disarm.ts';

export function complain(text: string): void {
  process.stderr.write(`${disarmLines(text)}\n`);
}
