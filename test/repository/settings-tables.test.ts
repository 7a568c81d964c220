import { describe, expect, it } from 'vitest';
import { settingList } from '../../contract/settings/settings.ts';
import { pages, textOf, withTable } from './settings-tables.ts';

describe.each(pages)('$path', (page) => {
  it('has the settings of today (npm run settings writes them)', () => {
    expect(textOf(page)).toBe(withTable(page));
  });
});

describe('a setting', () => {
  it.each(settingList)(
    '%s has a unit where it is an amount, and says what zero does where it may be',
    (key, { type, unit, zero }) => {
      if (type.is !== 'wholeNumber') return;
      expect(unit !== undefined || key === 'port').toBe(true);
      expect(zero !== undefined).toBe(type.min === 0);
    },
  );

  it.each(settingList)('%s has the variable that its key gives it, if any', (key, { variable }) => {
    const given = `PI_LEDGER_${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
    expect([undefined, given]).toContain(variable);
  });
});
