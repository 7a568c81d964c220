/** The conventions' previous names, where they are asked for: those alone, never both. */
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Chain, startChain } from './support/chain.ts';
import { answer, attribution, post } from './support/events.ts';

const previous = ['gen_ai.client.token.usage'];
const replaced = [
  'gen_ai.client.inference.usage.input_tokens',
  'gen_ai.client.inference.usage.output_tokens',
  'gen_ai.client.inference.duration',
];
let chain: Chain;

afterEach(() => chain.close());

test.each([
  { optIn: 'gen_ai_previous', present: previous, absent: replaced },
  { optIn: '', present: replaced.slice(0, 2), absent: previous },
])('with "$optIn" there are $present', async ({ optIn, present, absent }) => {
  chain = await startChain({ env: { OTEL_SEMCONV_STABILITY_OPT_IN: optIn } });
  const { ledger, otelcol, prometheus } = chain;
  await ledger.start();
  await post(
    ledger,
    attribution({ session: 'one', project: 'shop' }),
    answer({ session: 'one', nanoUsd: 12_300_000 }),
  );
  await eventually(async () => {
    const names = otelcol.received().metrics.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(present));
    for (const name of absent) expect(names).not.toContain(name);
    const page = await prometheus.query('count by (__name__) ({job="page"})');
    const scraped = page.map(({ labels }) => labels.__name__ ?? '');
    expect(scraped.some((name) => isOf(present, name))).toBe(true);
    expect(scraped.filter((name) => isOf(absent, name))).toEqual([]);
  });
});

function isOf(metrics: readonly string[], name: string): boolean {
  return metrics.some((metric) => name.startsWith(metric.replaceAll('.', '_')));
}
