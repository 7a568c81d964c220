import { describe, expect, it } from 'vitest';
import { unknownSettings } from '../../contract/settings/read.ts';
import { settingList } from '../../contract/settings/settings.ts';

const inFile = (...keys: string[]) =>
  unknownSettings({ environment: {}, file: Object.fromEntries(keys.map((key) => [key, 1])) });
const inEnvironment = (name: string, value = '1') =>
  unknownSettings({ environment: { [name]: value }, file: {} });

describe('an unknown key', () => {
  it.each([
    ['retentionDay', 'retentionDays'],
    ['retention', 'retentionDays'],
    ['retention_days', 'retentionDays'],
    ['RETENTIONDAYS', 'retentionDays'],
    ['reteniton-day', 'retentionDays'],
    ['prot', 'port'],
    ['tokens', 'token'],
    ['spoolByteMax', 'spoolBytesMax'],
    ['auditContents', 'auditContent'],
    ['project', 'projects'],
  ])('%s is reported with the similar %s, and stops nothing', (key, meant) => {
    expect(inFile(key)).toEqual([
      { message: `\`${key}\`: unknown; did you mean \`${meant}\`?`, guard: null },
    ]);
  });

  it.each([
    ['auht', 'auth'],
    ['Auth', 'auth'],
    ['authentication', 'auth'],
    ['host', 'hosts'],
    ['allowedHosts', 'hosts'],
    ['tsl', 'tls'],
    ['tlsFiles', 'tls'],
    ['adress', 'address'],
    ['requestPerMinuteMax', 'requestsPerMinuteMax'],
    ['stroe', 'store'],
    ['storeUrl', 'store'],
    ['imports', 'import'],
    ['disable', 'disabled'],
  ])('%s is probably meant for %s, which keeps something back', (key, guard) => {
    expect(inFile(key)).toEqual([
      { message: `\`${key}\`: unknown; did you mean \`${guard}\`?`, guard },
    ]);
  });

  it.each(['export', 'enabled', 'ports'])(
    '%s may be near a guard, and is not taken for it',
    (key) => {
      expect(inFile(key)).toMatchObject([{ guard: null }]);
    },
  );

  it.each(['frobnicate', '$schema', '//', '', 'toString', '__proto__', 'x'.repeat(9)])(
    '%j is like nothing else',
    (key) => {
      const file = JSON.parse(`{${JSON.stringify(key)}: 1}`) as Record<string, unknown>;
      expect(unknownSettings({ environment: {}, file })).toEqual([
        { message: `\`${key}\`: unknown`, guard: null },
      ]);
    },
  );

  it('is cut short where it is long, and its value is not shown', () => {
    expect(unknownSettings({ environment: {}, file: { ['x'.repeat(100_000)]: 's3cr3t' } })).toEqual(
      [{ message: `\`${'x'.repeat(60)}\`: unknown`, guard: null }],
    );
  });

  it('is not one of those that are read', () => {
    expect(inFile(...settingList.map(([key]) => key))).toEqual([]);
  });
});

describe('an unknown variable', () => {
  it.each([
    ['PI_LEDGER_TOKN', 'did you mean `PI_LEDGER_TOKEN`?', null],
    ['PI_LEDGER_HOST', 'did you mean `PI_LEDGER_HOSTS`?', 'hosts'],
    ['PI_LEDGER_AUHT', 'did you mean `PI_LEDGER_AUTH`?', 'auth'],
    ['PI_LEDGER_DISABLE', 'did you mean `PI_LEDGER_DISABLED`?', 'disabled'],
    ['PI_LEDGER_TLS', '`tls` can only be set in config.json', 'tls'],
    ['PI_LEDGER_RETENTION_DAYS', '`retentionDays` can only be set in config.json', null],
  ])('%s is reported if it nearly matches one of ours', (name, hint, guard) => {
    expect(inEnvironment(name)).toEqual([{ message: `\`${name}\`: unknown; ${hint}`, guard }]);
    expect(inEnvironment(name, '')).toEqual([]);
  });

  it.each([
    'PI_LEDGER_HOME',
    'PI_LEDGER_PARENT',
    'PI_LEDGER_CONFIG',
    'PI_LEDGER_UPSTREAM',
    'PI_LEDGER_BACKUP_STORE',
    'HOSTS',
    'OTHER_PI_LEDGER_HOST',
  ])('%s is left alone', (name) => expect(inEnvironment(name)).toEqual([]));

  it('is not one of those that are read', () => {
    for (const [, { variable }] of settingList) expect(inEnvironment(variable ?? '')).toEqual([]);
  });
});
