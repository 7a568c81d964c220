import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory();

function configOf(budgets: unknown) {
  const home = mkdtempSync(join(directory, 'home-'));
  writeFileSync(join(home, 'config.json'), JSON.stringify({ budgets }));
  return loadCollectorConfig({ PI_LEDGER_HOME: home });
}

const good = { name: 'shop', project: 'shop', per: 'month', limit: 200, in: 'metered dollars' };
const plan = { name: 'plan', provider: 'anthropic', per: '5h window', limit: 90, in: 'percent' };

describe('budgets in config.json', () => {
  it('have exact limits, and defaults that their definition names', () => {
    const { budgets, doubts } = configOf([
      good,
      { ...plan, user: 'ada', warnAt: 50, hard: true, timeZone: 'Asia/Kolkata' },
      { ...good, name: 'small', limit: 0.000_000_1, label: 'team=checkout', model: 'opus' },
    ]);
    expect(doubts).toEqual([]);
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect(budgets.map(({ name, definition }) => [name, definition])).toMatchObject([
      ['shop', { project: 'shop', user: null, limit: '200', warnAt: 80, isHard: false, timeZone }],
      ['plan', { user: 'ada', limit: '90', warnAt: 50, isHard: true, timeZone: 'Asia/Kolkata' }],
      ['small', { limit: '0.0000001', label: 'team=checkout', model: 'opus' }],
    ]);
  });

  it('may be per so many days, from one', () => {
    const sprint = { ...good, per: '14 days', from: '2026-11-02' };
    const { budgets, doubts } = configOf([sprint, { ...sprint, name: 'other', per: '366 days' }]);
    expect(doubts).toEqual([]);
    expect(budgets.map(({ definition }) => [definition.per, definition.from])).toEqual([
      ['14 days', '2026-11-02'],
      ['366 days', '2026-11-02'],
    ]);
    const later = configOf([{ ...sprint, from: '2026-11-03' }]).budgets[0];
    expect(later?.version).not.toBe(budgets[0]?.version);
  });

  it('may have a limit that is raised until a day', () => {
    const raised = { ...good, raisedTo: 600.5, raisedUntil: '2026-11-30' };
    const { budgets, doubts } = configOf([raised]);
    expect(doubts).toEqual([]);
    expect(budgets[0]?.definition).toMatchObject({
      ...{ limit: '200', raisedTo: '600.5', raisedUntil: '2026-11-30' },
    });
    expect(budgets[0]?.version).not.toBe(configOf([good]).budgets[0]?.version);
  });

  it('have a version that is the same for the same words in any order', () => {
    const versionOf = (wish: object) => configOf([wish]).budgets[0]?.version;
    const { name, ...rest } = good;
    expect(versionOf({ ...rest, name })).toBe(versionOf(good));
    expect(versionOf({ ...good, warnAt: 80, hard: false, name: 'other' })).toBe(versionOf(good));
    expect(versionOf({ ...good, endsHeadlessRuns: false })).toBe(versionOf(good));
    expect(versionOf({ ...good, warnByForecast: false })).toBe(versionOf(good));
    expect(versionOf({ ...good, verifiedOnly: false })).toBe(versionOf(good));
    const names = ['hard', 'endsHeadlessRuns', 'warnByForecast', 'verifiedOnly'];
    const flags = names.map((flag) => ({ [flag]: true }));
    const others = [{ limit: 201 }, { warnAt: 81 }, ...flags, { user: 'x' }, { per: 'day' }];
    const versions = others.map((wish) => versionOf({ ...good, ...wish }));
    expect(new Set([versionOf(good), ...versions]).size).toBe(others.length + 1);
  });

  it.each<[string, unknown, string]>([
    ['no object', 'much', '"budgets[0]" in config.json is "much", expected an object'],
    [
      'a name that is too long',
      { ...good, name: 'n'.repeat(101) },
      'expected a name without control characters, 1 to 100 characters',
    ],
    ['a name that is none', { ...good, name: 'a\n' }, '"budgets[0].name" in config.json is "a\\n"'],
    ['another key', { ...good, amount: 5 }, '"budgets[0].amount" in config.json is 5, expected no'],
    ['no such period', { ...good, per: 'year' }, '"budgets[0].per" in config.json is "year"'],
    ['one day as days', { ...good, per: '1 days', from: '2026-11-02' }, 'from "2 days" to "366'],
    ['too many days', { ...good, per: '367 days', from: '2026-11-02' }, '"budgets[0].per" in'],
    ['days from nowhere', { ...good, per: '14 days' }, '"budgets[0].from" in config.json is'],
    [
      'days from no day',
      { ...good, per: '14 days', from: '2026-02-30' },
      'expected the first day of a period of 14 days, such as "2026-11-02"',
    ],
    ['a first day of months', { ...good, from: '2026-11-02' }, 'only a budget per days has a'],
    [
      'a raise to less',
      { ...good, raisedTo: 200, raisedUntil: '2026-11-30' },
      '"budgets[0].raisedTo" in config.json is 200, expected a number above "limit"',
    ],
    ['a raise for ever', { ...good, raisedTo: 300 }, '"budgets[0].raisedUntil" in config.json is'],
    [
      'a raise until no day',
      { ...good, raisedTo: 300, raisedUntil: 'friday' },
      'expected the last day of it, such as "2026-11-30"',
    ],
    ['no such unit', { ...good, in: 'euros' }, '"budgets[0].in" in config.json is "euros"'],
    [
      'no limit',
      { ...good, limit: 0 },
      '"budgets[0].limit" in config.json is 0, expected a number',
    ],
    ['one too fine', { ...good, limit: 1e-10 }, '"budgets[0].limit" in config.json is 1e-10'],
    ['parts of tokens', { ...good, in: 'tokens', limit: 1.5 }, 'expected a whole number above 0'],
    ['a warning after the limit', { ...good, warnAt: 101 }, '"budgets[0].warnAt" in config.json'],
    [
      'an end that is neither',
      { ...good, endsHeadlessRuns: 'end' },
      '"budgets[0].endsHeadlessRuns" in config.json is "end", expected true or false',
    ],
    ['hard that is neither', { ...good, hard: 'yes' }, '"budgets[0].hard" in config.json is "yes"'],
    [
      'a forecast that is neither',
      { ...good, warnByForecast: 'maybe' },
      '"budgets[0].warnByForecast" in config.json is "maybe", expected true or false',
    ],
    [
      'a forecast of a window',
      { ...plan, warnByForecast: true },
      'expected false: there is no forecast of a window',
    ],
    [
      'verified that is neither',
      { ...good, verifiedOnly: 1 },
      '"budgets[0].verifiedOnly" in config.json is 1, expected true or false',
    ],
    [
      'verified that is not said',
      { ...good, verifiedOnly: null },
      '"budgets[0].verifiedOnly" in config.json is null, expected true or false',
    ],
    [
      'verified senders of a window',
      { ...plan, verifiedOnly: true },
      '"budgets[0].verifiedOnly" in config.json is true, expected false: a window is what its',
    ],
    [
      'no such zone',
      { ...good, timeZone: 'Mars' },
      '"budgets[0].timeZone" in config.json is "Mars"',
    ],
    ['no label', { ...good, label: 'team' }, '"budgets[0].label" in config.json is "team"'],
    ['percent of a month', { ...good, in: 'percent' }, 'percent are of a "5h window"'],
    ['dollars of a window', { ...plan, in: 'tokens' }, 'expected "percent", for a 5h window'],
    ['a window of a project', { ...plan, project: 'x' }, '"budgets[0].project" in config.json'],
  ])('are left out and named with %s', (_what, wrong, said) => {
    const { budgets, doubts } = configOf([wrong, { ...good, name: 'other' }]);
    expect(budgets.map(({ name }) => name)).toEqual(['other']);
    expect(doubts.join('\n')).toContain(said);
    expect(doubts.every((each) => each.endsWith('; it is left out'))).toBe(true);
  });

  it('are a hundred: the first hold, and the others are named', () => {
    const many = Array.from({ length: 102 }, (_, index) => ({ ...good, name: `b-${index}` }));
    const { budgets, doubts } = configOf(many);
    expect(budgets.map(({ name }) => name)).toEqual(many.slice(0, 100).map(({ name }) => name));
    expect(doubts).toEqual([
      '"budgets[100]" in config.json is "b-100", expected no more than 100 budgets; it is left out',
      '"budgets[101]" in config.json is "b-101", expected no more than 100 budgets; it is left out',
    ]);
  });

  it('may have blanks around what is one of several words', () => {
    const { budgets, doubts } = configOf([{ ...good, per: ' month', in: 'metered dollars ' }]);
    expect([budgets[0]?.version, doubts]).toEqual([configOf([good]).budgets[0]?.version, []]);
  });

  it('have names of their own, and are a list', () => {
    const { budgets, doubts } = configOf([good, { ...good, limit: 3 }]);
    expect(budgets).toMatchObject([{ definition: { limit: '200' } }]);
    expect(doubts).toEqual([expect.stringContaining('a name that no other budget has')]);
    expect(configOf({ shop: good })).toMatchObject({
      budgets: [],
      doubts: [expect.stringContaining('expected a list of up to 100 budgets')],
    });
  });
});
