/** A collector that cannot be reached: which one was asked, what happened, and what to do. */
import type { FoundCollector } from './proven-connection.ts';

/** Returns null for an error of another kind, which has its own words. */
export function noAnswer({ url, isUrlNamed }: FoundCollector, error: unknown): Error | null {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : reasonOf(code);
  if (reason === undefined) return null;
  const remedy = isUrlNamed
    ? 'Start the collector there, or correct PI_LEDGER_URL or "url" in config.json'
    : 'Start one: pi-ledger start';
  return new Error(`no answer from ${new URL(url).origin} (${reason}). ${remedy}`, {
    cause: error,
  });
}

function reasonOf(code: string): string | undefined {
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
