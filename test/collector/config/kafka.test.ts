/** The setting `kafka`, and what its absence means. */
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { kafkaReader } from '../../../collector/config/kafka.ts';

const read = (text: unknown) => kafkaReader.read(text, () => undefined);

describe('the setting kafka', () => {
  it('reads brokers, prefix, login and encryption', () => {
    expect(read('kafka://one.example')).toEqual({
      ...{ brokers: ['one.example:9092'], topicPrefix: 'pi-ledger', sasl: null, tls: null },
    });
    expect(
      read('kafka://ada:p%40ss@one:9093,[::1]:9094/team.a?mechanism=plain&ca=/etc/ca.pem'),
    ).toEqual({
      brokers: ['one:9093', '[::1]:9094'],
      topicPrefix: 'team.a',
      sasl: { mechanism: 'plain', username: 'ada', password: 'p@ss' },
      tls: { caFile: '/etc/ca.pem' },
    });
    expect(read('kafka://ada:secret@one/x?tls=true')).toMatchObject({
      ...{ sasl: { mechanism: 'scram-sha-512' }, tls: { caFile: null } },
    });
  });

  it.each([
    ['no brokers', 'kafka://'],
    ['another scheme', 'http://one:9092'],
    ['a port out of range', 'kafka://one:99999'],
    ['an empty broker', 'kafka://one,,two'],
    ['a user without a password', 'kafka://ada@one'],
    ['a mechanism without a user', 'kafka://one?mechanism=plain'],
    ['an unknown mechanism', 'kafka://a:b@one?mechanism=gssapi'],
    ['an unknown option', 'kafka://one?acks=0'],
    ['an option twice', 'kafka://one?tls=true&tls=false'],
    ['a certificate of a relative path', 'kafka://one?ca=ca.pem'],
    ['a prefix with a slash', 'kafka://one/a/b'],
    ['bad escapes', 'kafka://a%ZZ:b@one'],
    ['no text', 9092],
  ])('refuses %s', (_name, text) => {
    expect(read(text)).toBeUndefined();
  });

  it('is needed by gateways and workers, and never shown', () => {
    const load = (more: Record<string, string>) => () =>
      loadCollectorConfig({ PI_LEDGER_HOME: '/nowhere', ...more });
    expect(load({ PI_LEDGER_ROLE: 'gateway' })).toThrow('PI_LEDGER_KAFKA');
    expect(load({ PI_LEDGER_ROLE: 'worker' })).toThrow('PI_LEDGER_KAFKA');
    expect(load({ PI_LEDGER_ROLE: 'boss' })).toThrow('expected all or gateway or worker');
    const wrong = load({ PI_LEDGER_ROLE: 'worker', PI_LEDGER_KAFKA: 'kafka://a:s3cret@' });
    expect(wrong).toThrow('PI_LEDGER_KAFKA is not valid');
    expect(wrong).not.toThrow('s3cret');
    expect(wrong).not.toThrow('needs "kafka"');
  });
});
