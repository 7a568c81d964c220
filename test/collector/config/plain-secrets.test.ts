/** A secret that travels unencrypted is said at the start, without itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { plainSecrets } from '../../../collector/config/plain-secrets.ts';
import { temporaryDirectory } from '../support/directory.ts';

const root = temporaryDirectory();
const people = { from: 'ledger@example.com', to: ['lead@example.com'] };

function homeWith(settings: object): Record<string, string> {
  const home = mkdtempSync(join(root, 'home-'));
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
  return { PI_LEDGER_HOME: home, HOME: home, PI_LEDGER_PORT: '0' };
}

function said(settings: object, env: Record<string, string> = {}): readonly string[] {
  return plainSecrets(loadCollectorConfig({ ...homeWith(settings), ...env }));
}

const mail = (server: string, more: object = {}) => ({ mail: { server, ...people, ...more } });
const webhook = (url: string, more: object = {}) => ({
  webhooks: [{ url, format: 'json', ...more }],
});
const kafka = (address: string) => ({ PI_LEDGER_KAFKA: address, PI_LEDGER_ROLE: 'gateway' });
const otlp = (endpoint: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=hunter2',
});

describe('secrets that travel unencrypted', () => {
  it.each([
    [
      'the password for mail',
      mail('smtp://me:hunter2@smtp.example', { allowPlain: true }),
      {},
      /^The password for mail can travel unencrypted: "allowPlain" is true, and smtp\.example/,
    ],
    [
      'the address of a webhook',
      webhook('http://chat.example/hunter2', { allowHttp: true }),
      {},
      /^Notices to chat\.example travel unencrypted/,
    ],
    [
      'the password for Kafka',
      {},
      kafka('kafka://me:hunter2@127.0.0.1:9092,broker:9092?mechanism=plain'),
      /^The password for Kafka travels unencrypted to broker:9092:/,
    ],
    [
      'headers of telemetry',
      {},
      otlp('http://otel.example:4318'),
      /^Headers of OTEL_EXPORTER_OTLP_HEADERS travel unencrypted to otel\.example:4318\./,
    ],
  ])('are said: %s', (_what, settings, env, sentence) => {
    const sentences = said(settings, env);
    expect(sentences).toEqual([expect.stringMatching(sentence)]);
    expect(sentences.join()).not.toContain('hunter2');
  });

  it.each([
    ['mail by STARTTLS or nothing', mail('smtp://me:hunter2@smtp.example'), {}],
    ['mail by TLS', mail('smtps://me:hunter2@smtp.example', { allowPlain: true }), {}],
    ['mail to this machine', mail('smtp://me:hunter2@127.0.0.1:25', { allowPlain: true }), {}],
    ['mail without a password', mail('smtp://smtp.example', { allowPlain: true }), {}],
    ['a webhook by https', webhook('https://chat.example/hunter2', { allowHttp: true }), {}],
    ['a webhook on this machine', webhook('http://127.0.0.1:1/hunter2'), {}],
    ['SCRAM', {}, kafka('kafka://me:hunter2@broker:9092')],
    ['Kafka by TLS', {}, kafka('kafka://me:hunter2@broker:9092?mechanism=plain&tls=true')],
    ['Kafka on this machine', {}, kafka('kafka://me:hunter2@localhost:9092?mechanism=plain')],
    ['telemetry by https', {}, otlp('https://otel.example')],
    ['telemetry on this machine', {}, otlp('http://[::1]:4318')],
  ])('are none with %s', (_what, settings, env) => {
    expect(said(settings, env)).toEqual([]);
  });

  it('are said by the collector when it starts', async () => {
    const settings = mail('smtp://me:hunter2@smtp.example', { allowPlain: true });
    const bin = join(import.meta.dirname, '..', '..', '..', 'collector', 'bin', 'pi-ledger.mjs');
    const child = spawn(process.execPath, [bin, 'start'], {
      env: { ...process.env, ...homeWith(settings) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    await expect.poll(() => text).toContain('Work as usual');
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(text).toContain('Settings: The password for mail can travel unencrypted');
    expect(text).not.toContain('hunter2');
  });
});
