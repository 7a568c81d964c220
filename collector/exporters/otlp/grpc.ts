/** OTLP/gRPC: https://opentelemetry.io/docs/specs/otlp/#otlpgrpc */
import type { ServiceError } from '@grpc/grpc-js';
import { shownEndpoint } from './endpoint.ts';
import { failureText } from './failure-text.ts';
import { readStatus } from './protobuf.ts';
import type { OtlpSettings } from './settings.ts';
import type { Answer, Fault, OtlpTransport } from './transport.ts';

/** A channel looks for an endpoint that is gone this often at least. */
const reconnectMsMax = 5_000;
const gzip = 2;
/** How servers say that a message is larger than they take, for which there is no code. */
const tooLarge = /(larger than|exceeds) (the )?(max|limit)|too large/i;

/** `path`: of the method. */
export async function createGrpcTransport(
  settings: OtlpSettings,
  path: string,
): Promise<OtlpTransport> {
  const { Client, Metadata, credentials, status } = await import('@grpc/grpc-js');
  const { url, tls, headers, timeoutMs, compression } = settings;
  const isSecure = url.protocol === 'https:';
  const client = new Client(
    url.port === '' ? `${url.hostname}:${isSecure ? 443 : 80}` : url.host,
    isSecure ? credentials.createSsl(tls.ca, tls.key, tls.cert) : credentials.createInsecure(),
    {
      'grpc.max_reconnect_backoff_ms': reconnectMsMax,
      'grpc.primary_user_agent': 'OTel-OTLP-Exporter-pi-ledger',
      ...(compression === 'gzip' ? { 'grpc.default_compression_algorithm': gzip } : {}),
    },
  );
  const metadata = new Metadata();
  for (const [name, value] of headers) {
    try {
      metadata.set(name, value);
    } catch {
      // What the library says contains the value.
      throw new Error(`gRPC cannot send the header ${name} (check OTEL_EXPORTER_OTLP_HEADERS).`);
    }
  }

  const faults: ReadonlyMap<number, Fault> = new Map<number, Fault>([
    [status.INVALID_ARGUMENT, 'batch'],
    [status.ALREADY_EXISTS, 'batch'],
    [status.FAILED_PRECONDITION, 'batch'],
    [status.UNAUTHENTICATED, 'endpoint'],
    [status.PERMISSION_DENIED, 'endpoint'],
    [status.UNIMPLEMENTED, 'endpoint'],
    [status.NOT_FOUND, 'endpoint'],
  ]);

  function failed({ code, details, metadata: trailers }: ServiceError): Answer {
    const [binary] = trailers?.get('grpc-status-details-bin') ?? [];
    const retryAfterMs =
      binary === undefined || typeof binary === 'string'
        ? null
        : (readStatus(binary)?.retryAfterMs ?? null);
    const isTooLarge = code === status.RESOURCE_EXHAUSTED && tooLarge.test(details);
    const name = `${status[code] ?? code}${details === '' ? '' : `: ${details}`}`;
    return {
      is: 'failed',
      fault: isTooLarge ? 'batch' : (faults.get(code) ?? 'passing'),
      message: `${shownEndpoint(url)}: ${failureText(name, headers.values())}`,
      retryAfterMs,
    };
  }

  return {
    post: (body, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const call = client.makeUnaryRequest<Uint8Array, Buffer>(
          path,
          (request) => Buffer.from(request),
          (answer) => answer,
          body,
          metadata,
          { deadline: Date.now() + timeoutMs },
          (error, answer) => {
            signal.removeEventListener('abort', cancel);
            if (signal.aborted) reject(signal.reason);
            else if (error !== null) resolve(failed(error));
            else resolve({ is: 'taken', body: answer ?? new Uint8Array() });
          },
        );
        const cancel = (): void => call.cancel();
        signal.addEventListener('abort', cancel, { once: true });
      }),
    close: () => client.close(),
  };
}
