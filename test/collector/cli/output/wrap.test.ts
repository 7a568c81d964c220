import { describe, expect, it } from 'vitest';
import { wrapLine } from '../../../../collector/cli/output/wrap.ts';

describe('a sentence on a screen', () => {
  it('wraps at words, below what follows its name', () => {
    expect(wrapLine('one two three four', null)).toEqual(['one two three four']);
    expect(wrapLine('one two three four', 10)).toEqual(['one two', '   three', '   four']);
    expect(wrapLine('pi    one two three', 13)).toEqual(['pi    one two', '      three']);
  });

  it('keeps commands whole, and the style of its first line', () => {
    const told = { text: 'error: no answer: pi-ledger start --port 8000', style: 'error' } as const;
    expect(wrapLine(told, 20)).toEqual([
      { text: 'error: no answer:', style: 'error' },
      '   pi-ledger start --port 8000',
    ]);
    expect(wrapLine('then `pi-ledger report --by day` shows it', 20)).toEqual([
      'then',
      '   `pi-ledger report --by day`',
      '   shows it',
    ]);
    expect(wrapLine('nothing here: pi-ledger doctor checks', 26)).toEqual([
      'nothing here:',
      '   pi-ledger doctor checks',
    ]);
  });
});
