/** Every signal arrives by every transport: http/protobuf and gRPC, with TLS and without. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCertificate } from '../support/certificate.ts';
import { eventually } from '../support/eventually.ts';
import { type Chain, startChain } from './support/chain.ts';
import { answer, attribution, failedAttempt, post } from './support/events.ts';
import { nanoOf } from './support/totals.ts';

let chain: Chain;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pi-ledger-tls-'));
});

afterEach(async () => {
  await chain.close();
  rmSync(directory, { recursive: true, force: true });
});

const transports = [
  { protocol: 'grpc', isEncrypted: false },
  { protocol: 'grpc', isEncrypted: true },
  { protocol: 'http/protobuf', isEncrypted: true },
] as const;

test.each(transports)('$protocol, encrypted: $isEncrypted', async ({ protocol, isEncrypted }) => {
  const tls = isEncrypted ? createCertificate(directory) : undefined;
  chain = await startChain({
    protocol,
    env: { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip', ...trusting(tls?.certPath) },
    ...(tls === undefined ? {} : { tls }),
  });
  const { ledger, otelcol } = chain;
  await ledger.start();
  await post(
    ledger,
    attribution({ session: 'one', project: 'shop' }),
    answer({ session: 'one', nanoUsd: 12_300_001 }),
    failedAttempt({ session: 'one' }),
  );
  await eventually(() => {
    const { spans, logs, metrics } = otelcol.received();
    expect(spans.map(({ name }) => name)).toContain('chat claude-sonnet-5');
    expect(logs.map(({ eventName }) => eventName)).toContain('pi.attempt.failed');
    const costs = metrics.filter(({ name }) => name === 'pi.cost.usd');
    const values = costs.flatMap(({ points }) => points.map(({ value }) => value));
    expect(values.map((value) => nanoOf(value.toFixed(12)))).toContain(12_300_001n);
  });
});

function trusting(certPath: string | undefined): Readonly<Record<string, string>> {
  return certPath === undefined ? {} : { OTEL_EXPORTER_OTLP_CERTIFICATE: certPath };
}
