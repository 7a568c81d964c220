/**
 * How a collector is served, by its settings: who has access, over TLS or not, and at which address
 * programs on this machine find it.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { fileReason } from '@pi-ledger/core/machine/file-reason';
import type { FastifyInstance } from 'fastify';
import { tokenStatus } from '../auth/access.ts';
import type { TokenRegistry } from '../auth/tokens.ts';
import { type AccessConfig, asksForTokens, localAddress, parseHost } from '../config/access.ts';
import type { TlsFiles } from '../config/access-readers.ts';
import { isLoopback } from '../config/host.ts';
import { LedgerError } from '../errors.ts';
import type { ServerAccess } from '../http/access.ts';
import { within } from '../timers/within.ts';

export interface AccessMeans {
  readonly tokens: ServerAccess['tokens'];
  /** It is null when nothing is served and only this process asks. */
  readonly machineToken: string | null;
  readonly now: () => number;
  readHomeKey(): Promise<Uint8Array | null>;
}

export function createAccess(
  config: AccessConfig,
  { tokens, machineToken, now, readHomeKey }: AccessMeans,
): ServerAccess {
  const { address, hosts, minimumUsers, requestsPerMinuteMax } = config;
  const mode = machineToken === null ? 'process' : asksForTokens(config) ? 'tokens' : 'open';
  return {
    mode,
    tokens,
    machineToken,
    hosts: [...hosts, parseHost(address)],
    requestsPerMinuteMax,
    minimumUsers,
    now,
    readHomeKey,
  };
}

export interface TlsMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * Throws `config_invalid` for files that cannot be read, or that are not a certificate and its key.
 * The message shows nothing of their content.
 */
export function readTls({ certFile, keyFile }: TlsFiles): TlsMaterial {
  const material = { cert: readNamed('certFile', certFile), key: readNamed('keyFile', keyFile) };
  try {
    createSecureContext(material);
    return material;
  } catch {
    // Without the cause: a parser's message may quote the key.
    throw new LedgerError('config_invalid', {
      message:
        `"tls" in config.json: ${certFile} and ${keyFile} ` +
        'are not a PEM certificate and its key.',
    });
  }
}

/** Throws `tokens_needed` where tokens are required and none is valid. */
export async function expectUsable(
  config: AccessConfig,
  { tokens, now }: { readonly tokens: Pick<TokenRegistry, 'list'>; readonly now: () => number },
): Promise<void> {
  if (!asksForTokens(config)) return;
  const nowMs = now();
  if ((await tokens.list()).some((token) => tokenStatus(token, nowMs) === 'valid')) return;
  throw new LedgerError('tokens_needed', {
    message:
      `This collector requires tokens (${whyTokens(config)}), but no valid token exists. ` +
      'Create one for each person first: ' +
      '`pi-ledger token create --user NAME --scope ingest --scope read`.',
  });
}

function whyTokens({ auth, address }: AccessConfig): string {
  if (auth === 'required') return '"auth" is "required"';
  return isLoopback(address)
    ? '"hosts" names how others reach it'
    : `it listens on ${address}, which other machines can reach`;
}

/** The URL for programs on this machine. Throws `address_in_use`. */
export async function listen(
  app: FastifyInstance,
  config: AccessConfig & { readonly port: number },
): Promise<string> {
  const { address, port } = config;
  try {
    await app.listen({ host: address, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const message = `Another program uses port ${port}: stop it, or set PI_LEDGER_PORT.`;
    throw new LedgerError('address_in_use', { message, cause: error });
  }
  return localUrl(config, (app.server.address() as AddressInfo).port);
}

/** When it stops, requests under way get this long; then their connections are cut. */
const drainMsMax = 5_000;

export async function closeServer(app: FastifyInstance): Promise<void> {
  const closed = app.close();
  if ((await within(drainMsMax, closed)) === 'timeout') app.server.closeAllConnections();
  await closed;
}

function localUrl({ address, tls }: AccessConfig, port: number): string {
  return `${tls === null ? 'http' : 'https'}://${parseHost(localAddress(address))}:${port}`;
}

function readNamed(key: keyof TlsFiles, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = fileReason(error) ?? (error as Error).message;
    throw new LedgerError('config_invalid', {
      message: `"tls.${key}" in config.json: ${path} cannot be read: ${reason}.`,
    });
  }
}
