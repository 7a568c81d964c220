/**
 * How a collector proves its identity before it receives anything: it answers a random number with
 * its HMAC under a key that only the right collector has. Pure.
 *
 * Two keys are accepted: that of the home (home-key.ts), and the SHA-256 of a token, which is what
 * a collector stores of it. The HMAC includes the connection's address as both ends see it: a
 * program that takes over a port and forwards the question to the real collector, which listens
 * elsewhere, gets an answer for the wrong address. If addresses are rewritten in between (a
 * container's port, a tunnel, a proxy), the address is unknown and the answer is for `anywhere`.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export type Prover = 'home' | 'token';

/** The parameters of `/v1/proof`. */
export interface ProofQuestion {
  /** 256 random bits, base64url. */
  readonly nonce: string;
  /** Names the token whose key is used. */
  readonly tokenName?: string | undefined;
}

/** Each is an HMAC, base64url; null without such a key. */
export interface Proofs {
  readonly home: string | null;
  readonly token: { readonly here: string; readonly anywhere: string } | null;
}

export const noncePattern = '^[A-Za-z0-9_-]{43}$';
export const tokenNamePattern = '^[0-9a-f]{32}$';

/** Replaces an address; no address looks like it. */
export const anywhere = 'anywhere';

export function proofOf(key: Uint8Array, prover: Prover, nonce: string, address: string): string {
  return createHmac('sha256', key)
    .update(`pi-ledger proof 1\n${prover}\n${nonce}\n${address}\n`)
    .digest('base64url');
}

/** Compares in constant time. */
export function isProof(found: unknown, expected: string): boolean {
  if (typeof found !== 'string' || found.length !== expected.length) return false;
  const [one, other] = [Buffer.from(found), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** One end of a connection, the same text on both sides; null if unknown. */
export function joinAddress(ip: string | undefined, port: number | undefined): string | null {
  if (ip === undefined || ip === '' || port === undefined) return null;
  return `${ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')} ${port}`;
}

/**
 * A token's key, and the name by which a collector finds it: half of the key, which reveals nothing
 * of the other half. Null for anything but a token of pi-ledger's: the name would reveal a
 * guessable word.
 */
export function tokenKeyOf(
  token: string | null,
): { readonly name: string; readonly key: Buffer } | null {
  if (token === null || !/^pil_[A-Za-z0-9_-]{43}$/.test(token)) return null;
  const key = createHash('sha256').update(token).digest();
  return { name: key.toString('hex', 0, key.length / 2), key };
}
