/**
 * `GET /v1/totals`: what the exported counters show, all of it. One answer is made at a time, and
 * beside those of other routes: of very many names it takes a lot of memory and time.
 */

import { decimalText } from '@pi-ledger/contract/amounts';
import type { CounterRow } from '@pi-ledger/contract/answers';
import type { MetricPoint, MetricReading } from '@pi-ledger/contract/telemetry/counters';
import type { MetricDefinition } from '@pi-ledger/contract/telemetry/metrics';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { LedgerError } from '../../errors.ts';
import { answering } from '../../http/answering.ts';
import { textOrStream } from '../../http/long-text.ts';
import { addTurns, createTurns } from '../../http/turns.ts';
import { viewsVisibleTo } from '../../http/visible-views.ts';
import { inTurns } from '../../timers/in-turns.ts';
import type { ViewsReader } from '../../views/views.ts';
import { createCounters } from '../metrics/counters.ts';

const Query = Type.Object(
  {
    metric: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 100,
        description: 'Only these: names in OpenTelemetry. Repeatable.',
      }),
    ),
    users: Type.Optional(
      Type.Enum(['exclude', 'include'], {
        default: 'exclude',
        description: 'Whether spend is split by user.',
      }),
    ),
  },
  { additionalProperties: false },
);

export interface TotalsRoutesOptions {
  readonly views: ViewsReader;
  readonly now: () => number;
}

export function routes({ views, now }: TotalsRoutesOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    addTurns(app, createTurns(1));
    app.get<{ Querystring: Static<typeof Query> }>(
      '/v1/totals',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/totals', {
          summary: 'What the exported counters show',
          description:
            'Every series, without the limit that exporters have. Counters keep what was known ' +
            'when they counted: `/v1/usage` has what is known now.',
          tags: ['views'],
          querystring: Query,
        }),
      },
      async (request, reply) => {
        const { metric: names, users = 'exclude' } = request.query;
        const visible = viewsVisibleTo(request, views);
        const reading = await createCounters(visible, { users: users === 'include', now }).read();
        if (reading === null) throw notCounted();
        const asked = ({ metric }: MetricReading) => names?.includes(metric.name) ?? true;
        const pieces = [`{"generation":${JSON.stringify(reading.generation)},"rows":[`];
        for (const { metric, points } of reading.metrics.filter(asked))
          await inTurns(points, (point) => {
            const comma = pieces.length === 1 ? '' : ',';
            pieces.push(comma + JSON.stringify(rowOf(metric, point)));
          });
        pieces.push(']}');
        return reply.type('application/json; charset=utf-8').send(textOrStream(pieces));
      },
    );
  };
}

function rowOf({ name, unit, kind, digits }: MetricDefinition, point: MetricPoint): CounterRow {
  const row = { metric: name, unit, kind, attributes: point.attributes };
  if ('amount' in point)
    return { ...row, amount: decimalText(point.amount, digits), histogram: null };
  const { bounds, counts, sum } = point.histogram;
  return {
    ...row,
    amount: null,
    histogram: { bounds, counts: counts.map(Number), sum: decimalText(sum, digits) },
  };
}

function notCounted(): LedgerError {
  return new LedgerError('store_unavailable', {
    message: 'The counters are being folded anew. Try again.',
  });
}
