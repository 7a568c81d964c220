/**
 * The extension and the collector read the same `config.json`: both must treat every odd value of
 * every key the same way.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CollectorConfig, loadCollectorConfig } from '../../collector/config/config.ts';
import type { Setting } from '../../contract/settings/setting.ts';
import { type SettingKey, settingList } from '../../contract/settings/settings.ts';
import { type ConfigResult, readConfig } from '../../extension/config.ts';

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pi-ledger-settings-'));
});
afterAll(() => rmSync(home, { recursive: true }));

interface Asked {
  readonly extension: ConfigResult;
  /** Text: why it does not start. */
  readonly collector: CollectorConfig | string;
}

function ask(
  file: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string>> = {},
): Asked {
  writeFileSync(join(home, 'config.json'), JSON.stringify(file));
  const all = { PI_LEDGER_HOME: home, ...environment };
  return { extension: readConfig(all), collector: collectorOf(all) };
}

function collectorOf(environment: Readonly<Record<string, string>>): CollectorConfig | string {
  try {
    return loadCollectorConfig(environment);
  } catch (error) {
    expect(error).toMatchObject({ code: 'config_invalid' });
    return (error as Error).message;
  }
}

const tls = { certFile: '/cert.pem', keyFile: '/key.pem' };
const odd: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 0.5, 30, 7717, 65_535, 65_536, 2_000_000, 1e21],
  ...[
    '',
    ' ',
    '0',
    '1',
    '-1',
    '007',
    '7717',
    ' 7717',
    '7717 ',
    '0x50',
    '1e3',
    '99999999999999999999',
    'true',
    'false',
    'yes',
    'null',
  ],
  ...[
    'http://a',
    'https://a.example/b/',
    'http://a/?b',
    'http://a?',
    'http://a#',
    ' http://a',
    'http://u:p@a',
    'ftp://a',
    'http://',
    'a b',
  ],
  ...[
    'localhost',
    '0.0.0.0',
    '::1',
    '127.0.0.1:80',
    'a,b',
    'auto',
    'required',
    'sqlite:/x.db',
    'sqlite:x',
    'mongodb://a/b',
    'nightly',
    '\u202e',
  ],
  ...[
    [],
    [null],
    ['a'],
    ['a:1'],
    {},
    { a: 1 },
    tls,
    { ...tls, keyFile: 'k' },
    [{ match: 'a', as: 'b' }],
    { a: 'metered' },
    { a: 'free' },
  ],
];
/** Why each of them does not start; null: it does. */
function reasonsOf({ extension, collector }: Asked) {
  return {
    extension:
      extension.outcome === 'broken'
        ? extension.message.replace(/^its configuration is invalid: /, '')
        : extension.outcome === 'ready'
          ? (extension.leftOut[0] ?? null)
          : null,
    collector:
      typeof collector === 'string'
        ? collector.replace(/^The configuration is not valid: |\.$/g, '')
        : null,
  };
}

function expectAgreement({ readBy }: Setting, asked: Asked): void {
  const { extension, collector } = reasonsOf(asked);
  switch (readBy) {
    case 'collector':
      expect(asked.extension).toMatchObject({ outcome: 'ready', doubts: [] });
      return;
    case 'extension':
      expect(asked.collector).toMatchObject({ doubts: extension === null ? [] : [extension] });
      return;
    case 'both':
      expect(extension).toBe(collector);
      expectSameValues(asked);
  }
}

function expectSameValues({ extension, collector }: Asked): void {
  expect(extension.outcome).toBe(typeof collector === 'string' ? 'broken' : 'ready');
  if (extension.outcome !== 'ready' || typeof collector === 'string') return;
  const { url, isUrlNamed, token, auditContent } = extension.config;
  const { port } = collector;
  expect({ token, auditContent }).toEqual({
    token: collector.token,
    auditContent: collector.auditContent,
  });
  expect(isUrlNamed).toBe(collector.url !== null);
  expect(url).toBe(collector.url ?? (port === 0 ? null : `http://127.0.0.1:${port}`));
}

const withVariable = settingList.flatMap(([key, setting]) =>
  setting.variable === undefined ? [] : [{ key, setting, variable: setting.variable }],
);
/** A value of each key that both accept. */
const fitting: Readonly<Partial<Record<SettingKey, string>>> = {
  ...{
    port: '0',
    address: '::1',
    auth: 'required',
    hosts: 'a.example',
    url: 'http://a',
    token: 't',
  },
  ...{ agentName: 'nightly', store: 'sqlite:/s', disabled: '0', import: '0' },
  ...{ role: 'all', kafka: 'kafka://a', cells: '8', runBudget: '5 metered dollars' },
  stopWhenUnreadable: '1',
};

describe('both readers', () => {
  it.each(settingList)('agree on every odd value of %s in the file', (key, setting) => {
    for (const value of odd) expectAgreement(setting, ask({ [key]: value }));
    fc.assert(
      fc.property(fc.jsonValue(), (value) => expectAgreement(setting, ask({ [key]: value }))),
      { numRuns: 15 },
    );
  });

  it.each(withVariable)('agree on every odd value of $variable', ({ setting, variable }) => {
    for (const value of odd) expectAgreement(setting, ask({}, { [variable]: String(value) }));
  });

  it.each(settingList)('take null for %s as if it were not there', (key) => {
    expect(ask({ [key]: null })).toEqual(ask({}));
  });

  it.each(withVariable)(
    'take an empty $variable as none, and another one before the file',
    ({ key, variable }) => {
      const file = { [key]: { not: 'fit' } };
      expect(ask(file, { [variable]: '' })).toEqual(ask(file));
      const { extension, collector } = ask(file, { [variable]: fitting[key] ?? '' });
      expect({
        outcome: extension.outcome,
        doubts: typeof collector === 'string' ? collector : collector.doubts,
      }).toEqual({
        outcome: 'ready',
        doubts: [],
      });
    },
  );

  it('take port 0 for any that is free: the extension then knows no address by itself', () => {
    expect(ask({ port: 0 })).toMatchObject({
      extension: { config: { url: null, isUrlNamed: false } },
      collector: { port: 0, url: null },
    });
  });
});
