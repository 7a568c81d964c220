/** How an answer is compressed, by what its reader accepts. The compressor is loaded when used. */
import type { constants as zlibConstants } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';

type Encoding = 'br' | 'gzip';

/** The first of `offered` that an Accept-Encoding header accepts; null: none. */
export function acceptedEncoding<Offered extends Encoding>(
  header: string | undefined,
  offered: readonly Offered[],
): Offered | null {
  const accepted = new Set(
    (header ?? '').split(',').flatMap((part) => {
      const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
      return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name];
    }),
  );
  return offered.find((name) => accepted.has(name)) ?? null;
}

/** A smaller answer fits into one packet as it is. */
const plainBytesMax = 1024;

/**
 * Answers to GET that are text and longer than a packet are sent compressed to who accepts gzip.
 * Streams are sent as they are, and so is what has an encoding.
 */
export function addCompression(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length <= plainBytesMax) return payload;
    if (request.method !== 'GET' || reply.hasHeader('content-encoding')) return payload;
    varyByEncoding(reply);
    if (acceptedEncoding(request.headers['accept-encoding'], ['gzip']) === null) return payload;
    const packed = await compressed(payload, 'gzip');
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return packed;
  });
}

export function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
}

/**
 * In another thread. Brotli's quality 6 takes a tenth of the time of 9, which for the page would be
 * a third of a start, and 0.3 % more bytes. Its window need not be larger than what is looked over,
 * and takes megabytes otherwise.
 */
export async function compressed(data: string | Buffer, encoding: Encoding): Promise<Buffer> {
  const zlib = await import('node:zlib');
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const done = (error: Error | null, packed: Buffer): void =>
    error === null ? resolve(packed) : reject(error);
  if (encoding === 'gzip') zlib.gzip(data, done);
  else zlib.brotliCompress(data, { params: brotliParams(zlib.constants, data.length) }, done);
  return promise;
}

function brotliParams(
  { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, ...bounds }: typeof zlibConstants,
  bytes: number,
): Record<number, number> {
  const { BROTLI_MIN_WINDOW_BITS: least, BROTLI_MAX_WINDOW_BITS: most } = bounds;
  const windowBits = Math.min(most, Math.max(least, Math.ceil(Math.log2(bytes + 1))));
  return { [BROTLI_PARAM_QUALITY]: 6, [BROTLI_PARAM_LGWIN]: windowBits };
}
