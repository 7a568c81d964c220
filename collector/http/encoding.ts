/** How an answer is compressed, by what its reader accepts. The compressor is loaded when used. */
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
    const packed = await gzipped(payload);
    reply.header('content-encoding', 'gzip').removeHeader('content-length');
    return packed;
  });
}

export function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
}

/** In another thread. */
async function gzipped(text: string): Promise<Buffer> {
  const { gzip } = await import('node:zlib');
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  gzip(text, (error, packed) => (error === null ? resolve(packed) : reject(error)));
  return promise;
}
