/**
 * Writes sanitized text to this process' stderr: the extension's only way to a terminal besides the
 * host's interface (host.ts).
 */
import { sanitizeText } from './sanitize.ts';

export function writeToTerminal(text: string): void {
  process.stderr.write(`${sanitizeText(text)}\n`);
}
