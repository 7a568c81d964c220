/**
 * The names of the conventions before the current ones, which
 * `OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_previous` asks for: they go out instead of
 * `gen_ai.client.inference.*`, never beside them. What the previous conventions have no name for is
 * not sent: tokens of the cache and of reasoning, which are parts of the others.
 */
import { type AttributeName, type MetricDefinition, metrics } from './metrics.ts';

const spend: readonly AttributeName[] = metrics.inputTokens.attributes.filter(
  (name) => name !== 'gen_ai.token.modality',
);

export const previousMetrics = {
  /** One bucket: what single records came to is not counted, how many there were is. */
  tokenUsage: {
    name: 'gen_ai.client.token.usage',
    kind: 'histogram',
    unit: '{token}',
    description:
      'Tokens of records of usage, of input with the cache and of output with reasoning.',
    attributes: ['gen_ai.operation.name', 'gen_ai.token.type', ...spend],
    digits: 0,
  },
  answerDuration: { ...metrics.answerDuration, name: 'gen_ai.client.operation.duration' },
  firstChunk: { ...metrics.firstChunk, name: 'gen_ai.client.operation.time_to_first_chunk' },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

/** These attributes of spans had other names. */
export const previousSpanAttributes: Readonly<Record<string, string>> = {
  'gen_ai.usage.cache_write.input_tokens': 'gen_ai.usage.cache_creation.input_tokens',
};
