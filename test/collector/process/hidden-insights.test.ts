import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHiddenInsights } from '../../../collector/process/hidden-insights.ts';
import { temporaryDirectory } from '../support/directory.ts';

const home = temporaryDirectory();
const path = join(home, 'insights.json');
const idOf = (number: number) => number.toString(16).padStart(8, '0');

describe('insights.json', () => {
  it('keeps what is hidden, for whoever opens it next', () => {
    const hidden = createHiddenInsights(home);
    expect([...hidden.read()]).toEqual([]);
    expect(existsSync(path)).toBe(false);
    hidden.hide(idOf(1), true);
    hidden.hide(idOf(2), true);
    expect([...createHiddenInsights(home).read()]).toEqual([idOf(1), idOf(2)]);
    expect([...hidden.hide(idOf(1), false)]).toEqual([idOf(2)]);
    expect([...createHiddenInsights(home).read()]).toEqual([idOf(2)]);
    expect(readdirSync(home)).toEqual(['insights.json']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('forgets those hidden longest ago beyond a thousand', () => {
    const hidden = createHiddenInsights(home);
    const ids = Array.from({ length: 1_000 }, (_, number) => idOf(number));
    writeFileSync(path, JSON.stringify({ hidden: ids }));
    hidden.hide(idOf(5_000), true);
    const kept = [...hidden.read()];
    expect(kept).toHaveLength(1_000);
    expect([kept[0], kept.at(-1)]).toEqual([idOf(1), idOf(5_000)]);
  });

  it.each(['', 'nonsense', '{"hidden":7}', '{"hidden":["../x", 3]}'])(
    'hides nothing where the file says %j',
    (text) => {
      writeFileSync(path, text);
      expect([...createHiddenInsights(home).read()]).toEqual([]);
    },
  );
});
