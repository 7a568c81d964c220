/**
 * Which secrets of the settings travel to other machines without encryption, a sentence each, for
 * the start: somebody allowed it once, and others read the terminal later. No sentence holds a
 * secret. Pure.
 */
import type { CollectorConfig } from './config.ts';
import { isLoopback } from './host.ts';

type Settings = Pick<CollectorConfig, 'mail' | 'webhooks' | 'kafka' | 'telemetry'>;

export function plainSecrets(settings: Settings): readonly string[] {
  return [
    ...ofMail(settings),
    ...ofWebhooks(settings),
    ...ofKafka(settings),
    ...ofTelemetry(settings),
  ];
}

function ofMail({ mail }: Settings): readonly string[] {
  if (mail?.server.tls !== 'if offered' || mail.server.login === null) return [];
  return [
    `The password for mail can travel unencrypted: "allowPlain" is true, and ${mail.server.host} ` +
      'may not offer STARTTLS, or somebody in between may hide that it does. Use smtps://, or ' +
      'take "allowPlain" out.',
  ];
}

function ofWebhooks({ webhooks }: Settings): readonly string[] {
  return webhooks
    .filter(({ url }) => isPlain(url))
    .map(
      ({ url }) =>
        `Notices to ${url.host} travel unencrypted, and with them the address of the webhook, ` +
        'which is a secret: "allowHttp" is true. Use https://.',
    );
}

function ofKafka({ kafka }: Settings): readonly string[] {
  if (kafka === null || kafka.tls !== null || kafka.sasl?.mechanism !== 'plain') return [];
  const others = kafka.brokers.filter((broker) => !isLoopback(brokerHost(broker)));
  if (others.length === 0) return [];
  return [
    `The password for Kafka travels unencrypted to ${others.join(', ')}: add tls=true, or use ` +
      'scram-sha-512.',
  ];
}

function ofTelemetry({ telemetry }: Settings): readonly string[] {
  const hosts = Object.values(telemetry.signals).flatMap((signal) =>
    signal !== null && signal.headers.size > 0 && isPlain(signal.url) ? [signal.url.host] : [],
  );
  return [...new Set(hosts)].map(
    (host) => `Headers of OTEL_EXPORTER_OTLP_HEADERS travel unencrypted to ${host}. Use https://.`,
  );
}

function isPlain({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !isLoopback(bare(hostname));
}

function brokerHost(broker: string): string {
  return bare(broker.replace(/:\d+$/, ''));
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
