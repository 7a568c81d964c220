import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { homeWith, problemsOf } from './homes.ts';

describe('a setting that the collector does not know', () => {
  it('is named, beside what the extension rejects, and stops nothing', () => {
    const home = homeWith({
      retentionDay: 30,
      disable: true,
      flushOnExitMs: -1,
      frobnicate: 's3cr3t',
    });
    expect(loadCollectorConfig({ PI_LEDGER_HOME: home, PI_LEDGER_TOKN: 's3cr3t' }).doubts).toEqual([
      '`retentionDay`: unknown; did you mean `retentionDays`?',
      '`disable`: unknown; did you mean `disabled`?',
      '`frobnicate`: unknown',
      '`PI_LEDGER_TOKN`: unknown; did you mean `PI_LEDGER_TOKEN`?',
      '"flushOnExitMs" in config.json is -1, expected a whole number from 0 to 60000; ' +
        'it is left out',
    ]);
  });

  it.each([
    [{ auht: 'required' }, {}, '`auht`: unknown; did you mean `auth`?'],
    [{ host: ['ledger.example'] }, {}, '`host`: unknown; did you mean `hosts`?'],
    [{ address: '0.0.0.0', tlsFiles: {} }, {}, '`tlsFiles`: unknown; did you mean `tls`?'],
    [
      { requestPerMinuteMax: 10 },
      {},
      '`requestPerMinuteMax`: unknown; did you mean `requestsPerMinuteMax`?',
    ],
    [{ stroe: 'mongodb://a/b' }, {}, '`stroe`: unknown; did you mean `store`?'],
    [{ imports: false }, {}, '`imports`: unknown; did you mean `import`?'],
    [
      {},
      { PI_LEDGER_HOST: 'ledger.example' },
      '`PI_LEDGER_HOST`: unknown; did you mean `PI_LEDGER_HOSTS`?',
    ],
    [{}, { PI_LEDGER_TLS: '1' }, '`PI_LEDGER_TLS`: unknown; `tls` can only be set in config.json'],
  ])(
    'stops it where it probably is about access or the store: %j %j',
    (file, environment, problem) => {
      expect(
        problemsOf({ PI_LEDGER_HOME: homeWith(file), ...environment } as Record<string, string>),
      ).toContain(problem);
    },
  );

  it('is named beside what stops it', () => {
    const home = homeWith({ auht: 'required', retentionDay: 30 });
    expect(problemsOf({ PI_LEDGER_HOME: home })).toBe(
      'The configuration is not valid: `auht`: unknown; did you mean `auth`?; ' +
        '`retentionDay`: unknown; did you mean `retentionDays`?',
    );
  });
});
