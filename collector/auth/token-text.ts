/**
 * The text of a token: `pil_` and 43 characters of base64url, which are 256 random bits. Only its
 * hash is kept and compared.
 */
import { createHash, timingSafeEqual } from 'node:crypto';

export type RandomBytes = (count: number) => Uint8Array;

const tokenBytes = 32;
const pattern = /^pil_[A-Za-z0-9_-]{43}$/;

export function drawTokenText(random: RandomBytes): string {
  return `pil_${Buffer.from(random(tokenBytes)).toString('base64url')}`;
}

/** Any other text needs no look-up. */
export function isTokenText(text: string): boolean {
  return pattern.test(text);
}

/** SHA-256, 32 bytes. A slow hash protects guessable words; 256 random bits need none. */
export function hashToken(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

/** In constant time. Both are digests of equal length. */
export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

const hashBytes = 32;

/** The smallest and the greatest hash that start with these bytes. */
export function hashesNamed(name: Uint8Array): {
  readonly first: Uint8Array;
  readonly last: Uint8Array;
} {
  const begunWith = (rest: number): Uint8Array =>
    Buffer.concat([name, Buffer.alloc(hashBytes - name.length, rest)]);
  return { first: begunWith(0x00), last: begunWith(0xff) };
}
