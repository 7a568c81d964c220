import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSeenUnits } from '../../../../collector/reconcile/files/seen-units.ts';

const identity = (number: number) => createHash('sha256').update(String(number)).digest('hex');

describe('the set of units seen', () => {
  it('keeps the number that a unit came with first, as a map would', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(50), fc.nat(5))), (additions) => {
        const seen = createSeenUnits();
        const map = new Map<string, number>();
        for (const [unit, index] of additions) {
          const id = identity(unit);
          expect(seen.add(id, index)).toBe(map.get(id) ?? null);
          if (!map.has(id)) map.set(id, index);
        }
        expect(seen.size).toBe(map.size);
        for (let unit = 0; unit <= 50; unit++)
          expect(seen.find(identity(unit))).toBe(map.get(identity(unit)) ?? null);
      }),
    );
  });

  it('keeps them all while it grows', () => {
    const seen = createSeenUnits();
    const units = 20_000;
    for (let unit = 0; unit < units; unit++) expect(seen.add(identity(unit), unit)).toBeNull();
    for (let unit = 0; unit < units; unit++) expect(seen.find(identity(unit))).toBe(unit);
    expect(seen.find(identity(units))).toBeNull();
    expect(seen.size).toBe(units);
  });

  it.each([
    ['00000001deadbeef', '00000002deadbeef'],
    ['deadbeef00000001', 'deadbeef00001001'],
  ])('tells units apart that share a slot: %s, %s', (left, right) => {
    const seen = createSeenUnits();
    expect([seen.add(left, 1), seen.add(right, 2), seen.find(left), seen.find(right)]).toEqual([
      null,
      null,
      1,
      2,
    ]);
  });
});
