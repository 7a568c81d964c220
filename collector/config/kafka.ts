/**
 * The setting `kafka`: `kafka://[user:password@]host[:port][,host[:port]...][/prefix][?options]`,
 * with the options `mechanism`, `tls` and `ca`. It may contain a password. Pure.
 */
import { isAbsolute } from 'node:path';
import type { ValueReader } from '@pi-ledger/contract/settings/plain-readers';
import type { KafkaSettings, SaslLogin } from '../ingest/kafka/kafka.ts';
import { isHost } from './host.ts';

const prefixDefault = 'pi-ledger';
const portDefault = 9092;
const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
const form =
  /^kafka:\/\/(?:([^:@/\s]+):([^@/\s]+)@)?([^@/?\s]+)(?:\/([A-Za-z0-9._-]{1,200})?)?(?:\?(\S*))?$/;

export const kafkaReader: ValueReader<KafkaSettings> = {
  read: (value) => (typeof value === 'string' ? readKafka(value) : undefined),
  expected:
    'kafka://USER:PASSWORD@HOST:PORT,HOST:PORT/PREFIX, with ?mechanism=plain, scram-sha-256 or ' +
    'scram-sha-512 (default), tls=true and ca=FILE',
};

function readKafka(text: string): KafkaSettings | undefined {
  const [, user, password, hosts = '', topicPrefix = prefixDefault, query = ''] =
    form.exec(text) ?? [];
  const brokers = hosts.split(',').map(brokerIn);
  const options = new URLSearchParams(query);
  const sasl = loginIn(user, password, options);
  const tls = tlsIn(options);
  if (!brokers.every((broker) => broker !== undefined)) return undefined;
  if (sasl === undefined || tls === undefined) return undefined;
  return areKnown(options) ? { brokers, topicPrefix, sasl, tls } : undefined;
}

function areKnown(options: URLSearchParams): boolean {
  const names = [...options.keys()];
  return (
    new Set(names).size === names.length &&
    names.every((name) => ['mechanism', 'tls', 'ca'].includes(name))
  );
}

function brokerIn(text: string): string | undefined {
  const [, host, port = String(portDefault)] =
    /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  return isHost(host) && Number(port) >= 1 && Number(port) <= 65_535
    ? `${host}:${port}`
    : undefined;
}

/** Returns undefined for a login that is not valid. */
function loginIn(
  user: string | undefined,
  password: string | undefined,
  options: URLSearchParams,
): SaslLogin | null | undefined {
  const wanted = options.get('mechanism');
  if (user === undefined || password === undefined) return wanted === null ? null : undefined;
  const mechanism = mechanisms.find((each) => each === (wanted ?? 'scram-sha-512'));
  const [username, secret] = [decoded(user), decoded(password)];
  return mechanism === undefined || username === undefined || secret === undefined
    ? undefined
    : { mechanism, username, password: secret };
}

function tlsIn(options: URLSearchParams): KafkaSettings['tls'] | undefined {
  const [tls, caFile] = [options.get('tls'), options.get('ca')];
  if (caFile !== null) return isAbsolute(caFile) && tls !== 'false' ? { caFile } : undefined;
  if (tls === 'true') return { caFile: null };
  return tls === null || tls === 'false' ? null : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
