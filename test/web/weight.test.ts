/** How much the page weighs, as it is sent: the budgets of its design. */
import { describe, expect, it } from 'vitest';
import { firstScripts, pageAssets, totalBytes } from './support/weight.ts';

const assets = pageAssets();
const named = (names: RegExp) => assets.filter(({ name }) => names.test(name));

describe('the page, compressed', () => {
  it('needs at most 50 kB of JavaScript for its first view', () => {
    const bytes = totalBytes(firstScripts());
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(50_000);
  });

  it('has at most 120 kB of JavaScript in all', () => {
    expect(totalBytes(named(/\.js$/))).toBeGreaterThan(10_000);
    expect(totalBytes(named(/\.js$/))).toBeLessThanOrEqual(120_000);
  });

  it('has at most 7 kB of styles, and no fonts or images', () => {
    expect(totalBytes(named(/\.css$/))).toBeLessThanOrEqual(7_000);
    expect(assets.filter(({ name }) => !/\.(js|css|txt)$/.test(name))).toEqual([]);
  });
});
