/**
 * This process, to whoever started it: sanitized text on stderr (the extension's only way to a
 * terminal besides the host's interface, host.ts), and its exit code.
 */
import { sanitizeText } from '../core/text/sanitize.ts';

export function writeToTerminal(text: string): void {
  process.stderr.write(`${sanitizeText(text)}\n`);
}

/** Unless one is set already. A host that exits with a code of its own overrules it. */
export function setExitCode(code: number): void {
  process.exitCode ??= code;
}
