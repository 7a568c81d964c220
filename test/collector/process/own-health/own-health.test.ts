import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readTelemetry } from '../../../../collector/exporters/otlp/settings.ts';
import { startOwnHealth } from '../../../../collector/process/own-health/own-health.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const directory = temporaryDirectory();

async function started(environment: Readonly<Record<string, string>>) {
  const errors: unknown[] = [];
  const telemetry = readTelemetry(environment);
  expect(telemetry.problems).toEqual([]);
  const health = await startOwnHealth({
    telemetry,
    version: '1',
    onFailure: (message) => errors.push(message),
  });
  return { health, errors };
}

it('is there only where metrics are exported', async () => {
  const nowhere = { health: null, errors: [] };
  expect(await started({})).toEqual(nowhere);
  const logs = { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://127.0.0.1:4318/v1/logs' };
  expect(await started(logs)).toEqual(nowhere);
});

it('a certificate that only looks like one is told, and stops no collector', async () => {
  const path = join(directory, 'key.pem');
  const looks = ['CERTIFICATE', 'PRIVATE KEY'].map(
    (of) => `-----BEGIN ${of}-----\nAAAA\n-----END ${of}-----\n`,
  );
  writeFileSync(path, looks.join(''));
  const { health, errors } = await started({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://127.0.0.1:4317',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: path,
    OTEL_EXPORTER_OTLP_CLIENT_KEY: path,
  });
  expect(health).toBeNull();
  expect(errors).toHaveLength(1);
});
