/** Which texts are measured without the library, and that it would say the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { drawn, textWidth } from '../../../../collector/cli/output/text-width.ts';

const sources = new URL('../../../../collector/cli/output', import.meta.url).pathname;

describe('the width of a text', () => {
  it.each([...drawn, 'a', '~', ' '])('takes %s for the one column that it is', (character) => {
    expect([stringWidth(character), textWidth(character.repeat(3))]).toEqual([1, 3]);
  });

  it.each(['日本', '👩‍💻', 'e\u0301', '≥ 日'])('is what the library says of %s', (text) => {
    expect(textWidth(text)).toBe(stringWidth(text));
  });

  it('needs the library for nothing that tables say by themselves', () => {
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });
    const texts = files
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(sources, name), 'utf8'));
    const used = new Set(texts.join('').match(/[^\0-\x7f]/g));
    expect(used.size).toBeGreaterThan(5);
    expect([...used].filter((character) => !drawn.includes(character))).toEqual([]);
  });
});
