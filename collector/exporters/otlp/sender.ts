/**
 * Sends spans, log records and metrics to the endpoint that the settings name: the one way out over
 * OTLP.
 *
 * Guarantees: what an endpoint will never take is split until the bad item is alone; that one is
 * refused, the others arrive. An endpoint that has taken nothing so far and refuses two items is
 * set up for somebody else. Whatever else goes wrong (endpoint down, slow, busy, or set up for
 * somebody else) rejects: the caller keeps the batch and sends it again, the same one or as part of
 * another. When the endpoint says how long to wait, the next attempt waits; one that is aborted
 * meanwhile rejects with what the endpoint said. Nothing is retried here and nothing is kept; an
 * aborted signal ends an attempt at once. No message contains a header.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Signal } from './protocol.ts';
import type { OtlpSettings } from './settings.ts';
import { codecs, type SignalBatches, type SignalCodec } from './signals.ts';
import type { Answer, OtlpTransport } from './transport.ts';

/** What became of a batch; counts are of spans, records or points. */
export interface SendOutcome {
  /** The endpoint took them. */
  readonly sent: number;
  /** It took the request, and says that it dropped these of it. */
  readonly rejected: number;
  /** It does not take these. */
  readonly refused: number;
  /** What it says of those, one line; null: nothing. */
  readonly message: string | null;
}

export interface OtlpSender<Batch> {
  /** `batch` is not empty. Rejects soon after `signal` is aborted. */
  send(batch: Batch, signal: AbortSignal): Promise<SendOutcome>;
  close(): void;
}

/** No endpoint keeps an exporter waiting longer. */
const retryAfterMsMax = 60 * 60_000;

/** Loads the libraries. Rejects with what is wrong with certificates. */
export async function createOtlpSender<Name extends Signal>(
  signal: Name,
  settings: OtlpSettings,
): Promise<OtlpSender<SignalBatches[Name]>> {
  const codec: SignalCodec<SignalBatches[Name]> = await codecs[signal]();
  const transport = await createTransport(settings, codec.path);
  return createSender(codec, transport);
}

async function createTransport(settings: OtlpSettings, path: string): Promise<OtlpTransport> {
  if (settings.protocol === 'grpc')
    return (await import('./grpc.ts')).createGrpcTransport(settings, path);
  return (await import('./http.ts')).createHttpTransport(settings);
}

function createSender<Batch>(
  codec: SignalCodec<Batch>,
  transport: OtlpTransport,
): OtlpSender<Batch> {
  /** By `performance.now()`. */
  let notBeforeMs = 0;
  /** Why there is a pause. */
  let lastFailure: Error | null = null;
  let hasTaken = false;

  async function send(batch: Batch, signal: AbortSignal): Promise<SendOutcome> {
    await pauseUntil(notBeforeMs, signal).catch((aborted: unknown) => {
      throw lastFailure ?? aborted;
    });
    const answer = await transport.post(codec.write(batch), signal);
    if (answer.is === 'taken') {
      hasTaken = true;
      return readTaken(codec, batch, answer.body);
    }
    if (answer.fault !== 'batch') throw toFailure(answer);
    const parts = codec.split(batch);
    if (parts === null)
      return { sent: 0, rejected: 0, refused: codec.count(batch), message: answer.message };
    const first = await send(parts[0], signal);
    const both = addOutcomes(first, await send(parts[1], signal));
    if (!hasTaken) throw toFailure({ ...answer, fault: 'endpoint' });
    return both;
  }

  function toFailure({ message, retryAfterMs, fault }: Answer & { is: 'failed' }): Error {
    const pauseMs = Math.min(retryAfterMs ?? 0, retryAfterMsMax);
    notBeforeMs = performance.now() + pauseMs;
    const hint = fault === 'endpoint' ? ' (check the OTEL_* variables)' : '';
    lastFailure = new Error(`${message}${hint}`);
    return lastFailure;
  }

  return { send, close: () => transport.close() };
}

async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  const pauseMs = ms - performance.now();
  if (pauseMs > 0) await delay(pauseMs, undefined, { signal });
}

function readTaken<Batch>(codec: SignalCodec<Batch>, batch: Batch, body: Uint8Array): SendOutcome {
  const { rejected, message } = partialIn(codec, body);
  return {
    sent: Math.max(0, codec.count(batch) - rejected),
    rejected,
    refused: 0,
    message: message === '' ? null : message,
  };
}

/** The status says that it was taken: what cannot be read does not change that. */
function partialIn<Batch>(codec: SignalCodec<Batch>, body: Uint8Array) {
  try {
    return codec.readAnswer(body);
  } catch {
    return { rejected: 0, message: '' };
  }
}

function addOutcomes(one: SendOutcome, other: SendOutcome): SendOutcome {
  return {
    sent: one.sent + other.sent,
    rejected: one.rejected + other.rejected,
    refused: one.refused + other.refused,
    message: one.message ?? other.message,
  };
}
