/**
 * `GET /metrics`: the counters as text, for who scrapes instead of being sent them by OTLP. The
 * names and labels are the same; scrape with `honor_labels: true`. Tokens that see only a part of
 * the ledger are refused: counters are of all of it.
 */
import type { FastifyInstance } from 'fastify';
import { LedgerError } from '../../errors.ts';
import { requestCaller } from '../../http/access.ts';
import { textOrStream } from '../../http/long-text.ts';

type MetricsFormat = 'text' | 'openmetrics';

/** It resolves to null when there are no metrics yet, or another collector shows them. */
export type ReadMetrics = (
  format: MetricsFormat,
) => Promise<{ readonly type: string; readonly pieces: readonly string[] } | null>;

/** The answer is no JSON, and none of the contract's. */
const text = { schema: { type: 'string' } };
const schema = {
  operationId: 'readMetrics',
  summary: 'The counters, for Prometheus to scrape',
  description:
    'The metrics that are sent by OTLP, as text: OpenMetrics for those who accept it. ' +
    'Scrape with `honor_labels: true`.',
  tags: ['health'],
  response: {
    200: {
      description: 'Counters, histograms and gauges',
      content: { 'text/plain': text, 'application/openmetrics-text': text },
    },
  },
};

export function routes({ readMetrics }: { readonly readMetrics: ReadMetrics }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/metrics', { schema, config: { scope: 'read' } }, async (request, reply) => {
      if (requestCaller(request).reading.is !== 'none') throw limited();
      const { accept = '' } = request.headers;
      const metrics = await readMetrics(
        accept.includes('application/openmetrics-text') ? 'openmetrics' : 'text',
      );
      if (metrics === null) throw notShown();
      return reply.header('vary', 'accept').type(metrics.type).send(textOrStream(metrics.pieces));
    });
  };
}

function limited(): LedgerError {
  return new LedgerError('scope_missing', {
    message:
      'Metrics are of the whole ledger: this requires a token without --project and --only-own.',
  });
}

function notShown(): LedgerError {
  return new LedgerError('store_unavailable', {
    message: 'There are no metrics to show yet. Try again.',
  });
}
