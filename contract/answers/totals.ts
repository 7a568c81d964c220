import { Type } from 'typebox';
import { attributeMeanings, metrics } from '../telemetry/metrics.ts';
import { type AnswerOf, OrNull } from './fields.ts';

const Decimal = (description: string) => Type.String({ pattern: '^\\d+(\\.\\d+)?$', description });

const attributeFields = Object.fromEntries(
  Object.entries(attributeMeanings).map(([name, description]) => [
    name,
    Type.Optional(Type.String({ description })),
  ]),
);

const CounterHistogram = Type.Object(
  {
    bounds: Type.Array(Type.Number(), { description: "Inclusive, in the metric's unit." }),
    counts: Type.Array(Type.Integer(), {
      description: 'One for each bound, and one for what is above the last.',
    }),
    sum: Decimal("In the metric's unit."),
  },
  { title: 'CounterHistogram' },
);

const CounterRow = Type.Object(
  {
    metric: Type.String({ description: 'Its name in OpenTelemetry.' }),
    unit: Type.String({ description: 'UCUM.' }),
    kind: Type.Enum(['counter', 'histogram', 'gauge']),
    attributes: Type.Object(attributeFields, { description: 'What is not known is absent.' }),
    amount: OrNull(Decimal("In the metric's unit."), 'Null: a histogram.'),
    histogram: OrNull(CounterHistogram, 'Null: one amount.'),
  },
  { title: 'CounterRow' },
);
export type CounterRow = AnswerOf<typeof CounterRow>;

/** `GET /v1/totals` */
export const Totals = Type.Object(
  {
    generation: Type.String({
      description: 'Another one: the views were folded anew, and amounts may be lower than before.',
    }),
    rows: Type.Array(CounterRow),
  },
  {
    title: 'Totals',
    description: 'What the counters show that are exported: they never fall in one generation.',
    examples: [
      {
        generation: '1.2.3',
        rows: [
          {
            metric: metrics.cost.name,
            unit: metrics.cost.unit,
            kind: 'counter',
            attributes: {
              'gen_ai.provider.name': 'anthropic',
              'gen_ai.request.model': 'claude-sonnet-5',
              'pi.project': 'shop',
              'pi.host.name': 'pi',
              'pi.billing': 'metered',
              'pi.spend.kind': 'turn',
              'pi.cost.source': 'catalog',
            },
            amount: '0.0123',
            histogram: null,
          },
        ],
      },
    ],
  },
);
export type Totals = AnswerOf<typeof Totals>;
