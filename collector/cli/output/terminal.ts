/** All output of the command line goes through here: see the contract of `Terminal`. */
import { sanitizeLine, sanitizeText } from '@pi-ledger/core/text/sanitize';
import type { Terminal } from '../command.ts';
import type { Line, LineStyle } from '../line.ts';
import { hasUtf8, toAscii } from './marks.ts';
import type { Screen } from './screen.ts';
import { wrapLine } from './wrap.ts';

export function terminalOn(screen: Screen): Terminal {
  const { env, columns, colour, now, overwrite, ask } = screen;
  const utf8 = hasUtf8(env);
  const plain = (text: string) => (utf8 ? sanitizeLine(text) : toAscii(sanitizeLine(text)));
  const shown = (line: Line, inColour: boolean): string =>
    typeof line === 'string' || !inColour
      ? plain(typeof line === 'string' ? line : line.text)
      : styled(plain(line.text), line.style);
  return {
    env,
    columns,
    colour,
    utf8,
    now,
    print: (line) => void screen.print(shown(line, colour)),
    printJson: (value) => void screen.print(sanitizeText(JSON.stringify(value, null, 2))),
    async printRows(text) {
      const error: unknown = await screen.print(sanitizeText(text.replace(/\r?\n$/, '')));
      return error instanceof Error ? error : null;
    },
    complain(line) {
      for (const part of wrapLine(line, columns))
        screen.complain(shown(part, screen.colourOfComplaints ?? screen.colour));
    },
    clear: screen.clear === undefined ? null : () => screen.clear?.(),
    ask:
      ask === undefined ? null : (question) => ask(wrapLine(plain(question), columns).join('\n')),
    showProgress:
      overwrite === undefined ? null : (line) => overwrite(`\r${plain(line)}${clearToEnd}`),
  };
}

const clearToEnd = '\u001b[K';
const styles = {
  dim: ['\u001b[2m', '\u001b[22m'],
  bold: ['\u001b[1m', '\u001b[22m'],
  warning: ['\u001b[33m', '\u001b[39m'],
  error: ['\u001b[31m', '\u001b[39m'],
} as const;

function styled(text: string, style: LineStyle): string {
  const [begin, end] = styles[style];
  const isWord = style === 'warning' || style === 'error';
  const length = isWord ? text.indexOf(':') + 1 : text.length;
  return `${begin}${text.slice(0, length)}${end}${text.slice(length)}`;
}
