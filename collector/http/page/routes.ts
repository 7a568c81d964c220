/**
 * The built-in page: its document at `/` and at the path of each view, its scripts and styles under
 * `/assets/`. They hold no data, so they are public; what they show they ask for under `/v1`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LedgerError } from '../../errors.ts';
import { acceptedEncoding, varyByEncoding } from '../encoding.ts';
import type { Nowhere } from '../error-answer.ts';
import type { Asset, PageFiles } from './files.ts';
import type { FirstAnswers } from './first-answers.ts';

const viewPaths = [
  '/',
  '/projects',
  '/projects/*',
  '/sessions',
  '/sessions/*',
  '/compactions',
  '/models',
  '/budgets',
  '/health',
  '/insights/*',
] as const;

export interface PageRoutesOptions {
  /** Resolves to null where nothing is built. */
  files(): Promise<PageFiles | null>;
  /** When it is null, the document comes without answers. */
  readonly first: FirstAnswers | null;
  readonly nowhere: Nowhere;
}

export function pageRoutes({ files, first, nowhere }: PageRoutesOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    // Read before somebody waits for them.
    app.addHook('onListen', async () => {
      await Promise.all([files(), first?.load()]);
    });

    const config = { scope: 'public', opensFromElsewhere: true } as const;
    const sendDocument = async (request: FastifyRequest, reply: FastifyReply) => {
      const built = await files();
      reply.headers(documentHeaders);
      if (built === null) return reply.status(404).type('text/plain').send(notBuilt);
      return reply
        .type('text/html; charset=utf-8')
        .send((await first?.into(built.html, request)) ?? built.html);
    };
    for (const path of viewPaths) app.get(path, { config }, sendDocument);
    // The page says itself that there is nothing.
    nowhere.openBy((request, reply) => sendDocument(request, reply.status(404)));

    app.get<{ Params: { '*': string } }>(
      '/assets/*',
      { config: { scope: 'public' } },
      async (request, reply) => {
        const asset = (await files())?.assets.get(request.params['*']);
        if (asset === undefined) throw new LedgerError('not_found');
        varyByEncoding(reply);
        reply.header('cache-control', 'public, max-age=31536000, immutable').type(asset.type);
        return reply.send(encoded(asset, request, reply));
      },
    );
  };
}

const notBuilt =
  'The page is not built here: `npm install` in the checkout builds it. ' +
  'The API answers under /v1.\n';

/** The page has these in place of those that other answers have. */
const documentHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': [
    'camera=()',
    'microphone=()',
    'geolocation=()',
    'payment=()',
    'usb=()',
    'display-capture=()',
    'clipboard-read=()',
  ].join(', '),
} as const;

function encoded(asset: Asset, request: FastifyRequest, reply: FastifyReply): Buffer {
  const encoding = acceptedEncoding(request.headers['accept-encoding'], ['br', 'gzip']);
  if (encoding === null) return asset.plain;
  reply.header('content-encoding', encoding);
  return asset[encoding];
}
