import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { limits } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { inflate } from '../../../../collector/http/events/body.ts';

/** Claims this length, whatever the real one is. */
function announcing(bytes: number, body: Buffer): Buffer {
  const changed = Buffer.from(body);
  changed.writeUInt32LE(bytes, changed.length - 4);
  return changed;
}

const mebibyte = 1024 * 1024;

describe('a gzip body', () => {
  it.each([
    0,
    1,
    63,
    64,
    65,
    400_000,
    mebibyte - 1,
    mebibyte,
    mebibyte + 1,
    limits.decompressedBytesMax,
  ])('of %i bytes inflated comes out as it was', async (bytes) => {
    const body = randomBytes(bytes);
    expect((await inflate(gzipSync(body))).equals(body)).toBe(true);
  });

  it('of several members is all of them, wherever the large one stands', async () => {
    const [small, large] = [randomBytes(10), randomBytes(3 * mebibyte)];
    const inflated = await Promise.all([
      inflate(Buffer.concat([small, large].map((part) => gzipSync(part)))),
      inflate(Buffer.concat([large, small].map((part) => gzipSync(part)))),
    ]);
    expect(inflated[0]?.equals(Buffer.concat([small, large]))).toBe(true);
    expect(inflated[1]?.equals(Buffer.concat([large, small]))).toBe(true);
  });

  it.each([
    ['one that is larger than the bound', gzipSync(Buffer.alloc(limits.decompressedBytesMax + 1))],
    ['a bomb that says it is small', announcing(10, gzipSync(Buffer.alloc(64 * mebibyte)))],
    [
      'a bomb with a small last member',
      Buffer.concat([gzipSync(Buffer.alloc(64 * mebibyte)), gzipSync('x')]),
    ],
  ])('refuses %s as too large', async (_, body) => {
    await expect(inflate(body)).rejects.toMatchObject({ code: 'body_too_large' });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no gzip', Buffer.from('[]')],
    ['one that is cut', gzipSync(randomBytes(1_000)).subarray(0, -9)],
    ['a large one that is cut', gzipSync(randomBytes(2 * mebibyte)).subarray(0, -9)],
    ['one that is shorter than it says', announcing(500, gzipSync('{}'))],
    ['one that says it is huge', announcing(2 ** 32 - 1, gzipSync('{}'))],
  ])('refuses %s as no gzip', async (_, body) => {
    await expect(inflate(body)).rejects.toMatchObject({ code: 'bad_gzip' });
  });
});
