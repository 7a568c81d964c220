import type { Random } from './random.ts';

export type Words = ReturnType<typeof createWords>;

/** Cuts pieces out of one long text: new words for gigabytes would take too long. */
export function createWords(random: Random) {
  const lines = Array.from(
    { length: 4_000 },
    (_, index) =>
      `${'  '.repeat(index % 4)}const value${random.between(0, 999)} = ` +
      `read("${random.hex(6)}", ${index});`,
  );
  const code = lines.join('\n');
  const prose = Array.from({ length: 12_000 }, () => random.pick(vocabulary)).join(' ');
  const cut = (text: string, chars: number) => {
    const from = random.between(0, text.length - chars - 1);
    return text.slice(from, from + chars);
  };
  return {
    code: (chars: number) => cut(code, chars),
    prose: (chars: number) => cut(prose, chars),
    argumentsOf: (tool: string) =>
      tool === 'bash'
        ? { command: cut(prose, 60) }
        : {
            path: `src/part-${random.between(1, 40)}.ts`,
            ...(tool === 'edit'
              ? { edits: [{ oldText: cut(code, 200), newText: cut(code, 300) }] }
              : {}),
          },
  };
}

const vocabulary = [
  'the',
  'ledger',
  'reads',
  'a',
  'file',
  'and',
  'writes',
  'what',
  'it',
  'found',
  'so',
  'that',
  'every',
  'token',
  'counts',
  'once',
] as const;
