import { expect, it } from 'vitest';
import { withPreviousNames } from '../../../../collector/exporters/metrics/previous.ts';
import { readTelemetry } from '../../../../collector/exporters/otlp/settings.ts';
import { counting } from './support/counting.ts';

const shop = { 'pi.project': 'shop', 'pi.billing': 'metered' };

it('gives tokens as sums over records, durations by their former name, no new name', async () => {
  const given = counting();
  const tokens = { 'gen_ai.token.modality': 'unknown', ...shop };
  given.add('inputTokens', tokens, 2_500n);
  given.add('outputTokens', tokens, 500n);
  given.add('cacheReadTokens', tokens, 1_000n);
  given.add('records', { ...shop, 'pi.cost.source': 'catalog' }, 2n);
  given.add('records', { ...shop, 'pi.cost.source': 'unpriced' }, 1n);
  given.add('records', { ...shop, 'pi.cost.source': 'unreported' }, 9n);
  given.add('cost', shop, 7n);
  given.observe('answerDuration', { 'pi.project': 'shop' }, 1);
  given.observe('firstChunk', { 'pi.project': 'shop' }, 0);
  const reading = await withPreviousNames({ read: async () => given.reading() }).read();
  const points = Object.fromEntries(
    (reading?.metrics ?? []).map(({ metric, points }) => [metric.name, points]),
  );
  expect(Object.keys(points)).toEqual([
    'gen_ai.client.token.usage',
    'gen_ai.client.operation.duration',
    'gen_ai.client.operation.time_to_first_chunk',
    'pi.usage.records',
    'pi.cost.usd',
  ]);
  const usage = (type: string, sum: bigint) => ({
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.token.type': type, ...shop },
    histogram: { bounds: [], counts: [3n], sum },
  });
  expect(points['gen_ai.client.token.usage']).toEqual([
    usage('input', 2_500n),
    usage('output', 500n),
  ]);
  expect(points['gen_ai.client.operation.duration']).toMatchObject([
    { histogram: { counts: [0n, 1n, 0n, 0n] } },
  ]);
});

it.each([
  ['gen_ai_previous', true],
  ['http, gen_ai_previous', true],
  ['gen_ai_latest_experimental', false],
])('is asked for by OTEL_SEMCONV_STABILITY_OPT_IN=%s: %s', (variable, isPrevious) => {
  const environment = { OTEL_SEMCONV_STABILITY_OPT_IN: variable };
  expect(readTelemetry(environment).previousNames).toBe(isPrevious);
});
