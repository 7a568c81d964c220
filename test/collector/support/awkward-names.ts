/** A name for each character that some program takes for the end of a line, a text or a cell. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { sessionEvents } from './work.ts';

const characters: Readonly<Record<string, string>> = {
  ...{ nul: '\0', bell: '\u0007', tab: '\t', feed: '\n', vertical: '\u000b', form: '\u000c' },
  ...{ return: '\r', both: '\r\n', escape: '\u001b', files: '\u001c', groups: '\u001d' },
  ...{ records: '\u001e', units: '\u001f', delete: '\u007f', next: '\u0085', csi: '\u009b' },
  ...{ line: '\u2028', paragraph: '\u2029', mark: '\ufeff', none: '\uffff', turned: '\u202e' },
  ...{ high: '\ud800', low: '\udc00', swapped: '\udc00\ud800', quote: '"', slash: '\\' },
  ...{ escaped: '\\n', written: '\\u2028', comma: ',', brace: '"} 1\n# EOF\n', emoji: '\u{1f4a9}' },
  ...{ formula: '=1+1', apostrophe: "'", blank: ' ', colon: ':', hash: '#', equals: '=' },
};

export const awkwardNames: readonly string[] = [
  ...Object.entries(characters).map(([name, character]) => `${name}${character}${name}`),
  // One name, as soon as it is bytes.
  ...['alike\ud800', 'alike\udbff', 'alike\ufffd'],
];

/** Each name as project, user, provider and model of a turn that costs a cent. */
export function awkwardEvents(): LedgerEvent[] {
  return awkwardNames.flatMap((name, index) =>
    sessionEvents({
      id: `awkward-${index}`,
      ...{ project: name, user: name, startedAt: '2026-11-16T09:00:00.000Z' },
      turns: [
        {
          ...{ time: '2026-11-16T09:05:00.000Z', nanoUsd: 10_000_000 },
          ...{ provider: name, model: name },
        },
      ],
    }),
  );
}
