/** All output of the command line goes through here: see the contract of `Terminal`. */
import { sanitizeLine, sanitizeText } from '../../../extension/sanitize.ts';
import type { Line, Terminal } from '../command.ts';
import type { Screen } from './screen.ts';

export function terminalOn(screen: Screen): Terminal {
  const { env, columns, colour, now, overwrite } = screen;
  const shown = (line: Line): string =>
    typeof line === 'string'
      ? sanitizeLine(line)
      : styled(sanitizeLine(line.text), line.style, colour);
  return {
    env,
    columns,
    colour,
    now,
    print: (line) => void screen.print(shown(line)),
    printJson: (value) => void screen.print(sanitizeText(JSON.stringify(value, null, 2))),
    async printRows(text) {
      const error: unknown = await screen.print(sanitizeText(text.replace(/\r?\n$/, '')));
      return error instanceof Error ? error : null;
    },
    complain: (line) => void screen.complain(shown(line)),
    showProgress:
      overwrite === undefined ? null : (line) => overwrite(`\r${sanitizeLine(line)}${clearToEnd}`),
  };
}

const clearToEnd = '\u001b[K';
const styles = { dim: ['\u001b[2m', '\u001b[22m'], bold: ['\u001b[1m', '\u001b[22m'] } as const;

function styled(text: string, style: keyof typeof styles, colour: boolean): string {
  const [begin, end] = styles[style];
  return colour ? `${begin}${text}${end}` : text;
}
