/**
 * How a collector is served, by its settings: who is let in, over TLS or not, and under which
 * address this machine's own programs find it.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { tokenStatusOf } from '../auth/access.ts';
import type { Tokens } from '../auth/tokens.ts';
import {
  type AccessConfig,
  asksForTokens,
  hostOf,
  isLoopback,
  localAddressOf,
  type TlsFiles,
} from '../config/access.ts';
import { LedgerError } from '../errors.ts';
import type { ServerAccess } from '../http/access.ts';
import { within } from '../timers/within.ts';

export interface AccessMeans {
  readonly tokens: Tokens;
  /** Null: nothing is served, only this process asks. */
  readonly machineToken: string | null;
  readonly now: () => number;
  readHomeKey(): Promise<Uint8Array | null>;
}

export function accessOf(
  config: AccessConfig,
  { tokens, machineToken, now, readHomeKey }: AccessMeans,
): ServerAccess {
  const { address, hosts, requestsPerMinuteMax } = config;
  const mode = machineToken === null ? 'process' : asksForTokens(config) ? 'tokens' : 'open';
  return {
    mode,
    tokens,
    machineToken,
    hosts: [...hosts, hostOf(address)],
    requestsPerMinuteMax,
    now,
    readHomeKey,
  };
}

export interface TlsMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * Throws `config_invalid` for files that cannot be read, or that are no certificate and its key.
 * Says nothing of what is in them.
 */
export function readTls({ certFile, keyFile }: TlsFiles): TlsMaterial {
  const material = { cert: readNamed('certFile', certFile), key: readNamed('keyFile', keyFile) };
  try {
    createSecureContext(material);
    return material;
  } catch {
    // Without the cause: what a parser says may quote what it read.
    throw new LedgerError('config_invalid', {
      message: `"tls" in config.json: ${certFile} and ${keyFile} are not a certificate and its key, in PEM.`,
    });
  }
}

/** Throws `tokens_needed` where tokens are asked for and none is good. */
export async function expectUsable(
  config: AccessConfig,
  { tokens, now }: Pick<AccessMeans, 'tokens' | 'now'>,
): Promise<void> {
  if (!asksForTokens(config)) return;
  const nowMs = now();
  if ((await tokens.list()).some((token) => tokenStatusOf(token, nowMs) === 'valid')) return;
  throw new LedgerError('tokens_needed', {
    message: `This collector asks for tokens (${whyTokens(config)}), and there is none that is valid: nobody could use it. Make one for each person first: \`pi-ledger token create --user NAME --scope ingest --scope read\`.`,
  });
}

function whyTokens({ auth, address }: AccessConfig): string {
  if (auth === 'required') return '"auth" is "required"';
  return isLoopback(address)
    ? '"hosts" names how others reach it'
    : `it is to listen on ${address}, which others can reach`;
}

/** Answers where programs of this machine find it. Throws `address_in_use`. */
export async function listen(
  app: FastifyInstance,
  config: AccessConfig & { readonly port: number },
): Promise<string> {
  const { address, port } = config;
  try {
    await app.listen({ host: address, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const message = `Port ${port} is taken by another program: stop that, or choose another port with PI_LEDGER_PORT.`;
    throw new LedgerError('address_in_use', { message, cause: error });
  }
  return localUrlOf(config, (app.server.address() as AddressInfo).port);
}

/** Requests under way may take this long when it stops; then their connections are cut. */
const drainMsMax = 5_000;

export async function closeServer(app: FastifyInstance): Promise<void> {
  const closed = app.close();
  if ((await within(drainMsMax, closed)) === 'timeout') app.server.closeAllConnections();
  await closed;
}

function localUrlOf({ address, tls }: AccessConfig, port: number): string {
  return `${tls === null ? 'http' : 'https'}://${hostOf(localAddressOf(address))}:${port}`;
}

function readNamed(key: keyof TlsFiles, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new LedgerError('config_invalid', {
      message: `"tls.${key}" in config.json: ${path} cannot be read (${code}).`,
    });
  }
}
