/** Finds the collector that a command asks. */
import { join } from 'node:path';
import { readRegularFile } from '@pi-ledger/core/machine/regular-file';
import { homeFiles } from '../../config/home-files.ts';
import { type FoundCollector, openConnection } from './proven-connection.ts';
import type { ClientTransport } from './transport.ts';

export type { FoundCollector } from './proven-connection.ts';

/** The settings that the search needs. */
export interface WhereToAsk {
  readonly home: string;
  /** Set by the user: another machine's collector, asked even if one runs here. */
  readonly url: string | null;
  /** The token for `url`. */
  readonly token: string | null;
}

const requestTimeoutMs = 30_000;
/** A POST may read the whole log before it answers: a rebuild, a repricing. */
const workTimeoutMs = 600_000;
const probeTimeoutMs = 2_000;
/** Neither `collector.json` nor a certificate with its chain is larger. */
const fileBytesMax = 1024 * 1024;

/**
 * The collector to ask; null if none runs on this home. A running collector writes its address and
 * a token for this machine's commands to `collector.json`. After a kill -9 that file is stale: it
 * counts only if the server there proves that it belongs to this home. A collector that the user
 * named proves itself with the first request.
 */
export async function findCollector({
  home,
  url,
  token,
}: WhereToAsk): Promise<FoundCollector | null> {
  if (url !== null) {
    return { url, isUrlNamed: true, token, home, certificate: null };
  }
  const found = leftIn(home);
  return found !== null && (await isThere(found)) ? found : null;
}

export function httpTransport(collector: FoundCollector): ClientTransport {
  const connection = openConnection(collector);
  return {
    request: (method, path, body, contentType) =>
      connection
        .ask({
          method,
          path,
          body,
          contentType,
          timeoutMs: method === 'POST' ? workTimeoutMs : requestTimeoutMs,
        })
        .catch((error: unknown) => {
          throw noAnswer(collector, error) ?? error;
        }),
    close: async () => connection.close(),
  };
}

async function isThere(found: FoundCollector): Promise<boolean> {
  const connection = openConnection(found);
  try {
    return (
      (await connection.ask({ method: 'GET', path: '/health/live', timeoutMs: probeTimeoutMs }))
        .status === 200
    );
  } catch {
    return false; // no answer, or another program
  } finally {
    connection.close();
  }
}

function leftIn(home: string): FoundCollector | null {
  try {
    const { url, token, certFile } = JSON.parse(
      readRegularFile(join(home, homeFiles.collector), { bytesMax: fileBytesMax }),
    ) as Readonly<Record<string, unknown>>;
    if (typeof url !== 'string') return null;
    const certificate =
      typeof certFile === 'string' ? readRegularFile(certFile, { bytesMax: fileBytesMax }) : null;
    return {
      url,
      isUrlNamed: false,
      token: typeof token === 'string' ? token : null,
      home,
      certificate,
    };
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null;
    }
    throw error;
  }
}

// A collector that cannot be reached: which one was asked, what happened, and what to do.

/** Returns null for an error of another kind, which has its own words. */
function noAnswer({ url, isUrlNamed }: FoundCollector, error: unknown): Error | null {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : explainCode(code);
  if (reason === undefined) return null;
  const remedy = isUrlNamed
    ? 'Start the collector there, or correct PI_LEDGER_URL or "url" in config.json'
    : 'Start one: pi-ledger start';
  return new Error(`no answer from ${new URL(url).origin} (${reason}). ${remedy}`, {
    cause: error,
  });
}

function explainCode(code: string): string | undefined {
  if (code.startsWith('HPE_')) return 'what answers is no collector';
  if (code.includes('CERT') || code.includes('SIGNATURE')) return 'its certificate is not trusted';
  return reasons[code];
}

const reasons: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'no server has this name',
  EADDRNOTAVAIL: 'no server has this address',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'the server cannot be reached',
  ENOTFOUND: 'no server has this name',
  EPIPE: 'the connection was closed',
  EPROTO: 'what answers does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what answers does not speak TLS',
  ETIMEDOUT: 'the server cannot be reached',
};
