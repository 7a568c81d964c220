import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../extension/host/limits.ts';
import {
  settingsInFiles,
  settingsInModule,
  settingsInPreparation,
} from '../../../extension/host/settings.ts';
import { deadContext } from '../support/fake-session.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pi-ledger-settings-'));
  mkdirSync(join(directory, 'agent'));
  mkdirSync(join(directory, 'project', '.pi'), { recursive: true });
});
afterEach(() => rmSync(directory, { recursive: true }));

const ofUser = (settings: unknown) =>
  writeFileSync(join(directory, 'agent', 'settings.json'), text(settings));
const ofProject = (settings: unknown) =>
  writeFileSync(join(directory, 'project', '.pi', 'settings.json'), text(settings));
const text = (settings: unknown) =>
  typeof settings === 'string' ? settings : JSON.stringify(settings);
const read = (ctx: object = {}) =>
  settingsInFiles({ agentDirectory: join(directory, 'agent') }).read({
    cwd: join(directory, 'project'),
    model: { provider: 'acme', id: 'large' },
    ...ctx,
  });

describe('the settings in files', () => {
  it('are the defaults where there are none', () => {
    expect(read()).toEqual(defaultSettings);
    ofUser({ theme: 'dark' });
    expect(read()).toEqual(defaultSettings);
  });

  it("are the project's before the user's, each by itself", () => {
    ofUser({ compaction: { reserveTokens: 1_000, keepRecentTokens: 100 } });
    ofProject({ compaction: { enabled: false, keepRecentTokens: 200 } });
    expect(read()).toMatchObject({
      enabled: false,
      reserveTokens: 1_000,
      keepRecentTokens: 200,
      source: 'files',
    });
  });

  it('of a project that is not trusted do not count', () => {
    ofUser({ compaction: { reserveTokens: 1_000 } });
    ofProject({ compaction: { reserveTokens: 5 } });
    expect(read({ isProjectTrusted: () => false }).reserveTokens).toBe(1_000);
    expect(read({ isProjectTrusted: () => true }).reserveTokens).toBe(5);
  });

  it('may be for one model', () => {
    ofUser({
      compaction: {
        reserveTokens: 1_000,
        modelOverrides: { 'acme/large': { reserveTokens: 7 }, 'acme/small': { reserveTokens: 8 } },
      },
    });
    expect(read().reserveTokens).toBe(7);
    expect(read({ model: { provider: 'acme', id: 'other' } }).reserveTokens).toBe(1_000);
  });

  it.each([
    '',
    '{',
    '[]',
    '{"compaction":7}',
    '{"compaction":{"reserveTokens":"many","enabled":1}}',
  ])('that make no sense (%s) set nothing', (broken) => {
    ofUser(broken);
    expect({ ...read(), source: 'default' }).toEqual(defaultSettings);
  });

  it('may begin with a byte order mark', () => {
    ofUser(`\uFEFF${JSON.stringify({ compaction: { reserveTokens: 3 } })}`);
    expect(read().reserveTokens).toBe(3);
  });

  it('of the user are found though the session is over', () => {
    ofUser({ compaction: { reserveTokens: 1_000 } });
    expect(
      settingsInFiles({ agentDirectory: join(directory, 'agent') }).read(deadContext())
        .reserveTokens,
    ).toBe(1_000);
  });
});

describe('the settings that a host hands out', () => {
  const handedOut = (group: object) =>
    settingsInModule({ pi: { settings: { getGroup: () => group } } }).read({});

  it('are the running ones', () => {
    const group = {
      enabled: true,
      thresholdPercent: -1,
      thresholdTokens: 50_000,
      reserveTokens: undefined,
      keepRecentTokens: 20_000,
    };
    expect(handedOut({ ...group, methodOrder: ['soft'] })).toEqual({
      enabled: true,
      reserveTokens: null,
      keepRecentTokens: 20_000,
      thresholdTokens: 50_000,
      thresholdPercent: null,
      source: 'host',
    });
  });

  it('switch compaction off in three ways', () => {
    for (const off of [{ enabled: false }, { strategy: 'off' }, { methodOrder: [] }])
      expect(handedOut(off).enabled).toBe(false);
  });

  it('are the defaults if the host exposes none, or not yet', () => {
    const getGroup = () => {
      throw new Error('Settings not initialized.');
    };
    for (const pi of [null, {}, { pi: {} }, { pi: { settings: { getGroup } } }])
      expect(settingsInModule(pi).read({})).toEqual(defaultSettings);
  });
});

describe('the settings of a compaction that begins', () => {
  it('are reported by the host', () => {
    const settings = { enabled: true, reserveTokens: 1_000, keepRecentTokens: 100 };
    expect(settingsInPreparation({ preparation: { settings } })).toMatchObject({
      ...settings,
      source: 'host',
    });
    for (const event of [null, {}, { preparation: {} }])
      expect(settingsInPreparation(event)).toBeNull();
  });
});
