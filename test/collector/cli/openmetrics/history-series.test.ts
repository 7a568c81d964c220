import type { UsageFineRow } from '@pi-ledger/contract/answers';
import { expect, it } from 'vitest';
import { createHistorySeries } from '../../../../collector/cli/exports/openmetrics/series.ts';

const nowMs = Date.parse('2026-05-02T12:30:00Z');
const options = { job: 'j', instance: 'i', nowMs };
const atMs = (time: string) => Date.parse(time) / 1000;

const row = (more: Partial<UsageFineRow>): UsageFineRow => ({
  ...{ day: '2026-05-01', hour: '2026-05-01T09', billing: 'metered', project: 'shop' },
  ...{ provider: 'google', model: 'm', host: 'pi', kind: 'turn', costSource: 'catalog' },
  ...{ records: 1, inputTokens: 10, outputTokens: 5, cacheReadTokens: 100, cacheWriteTokens: 0 },
  ...{ reasoningTokens: 0, nanoUsd: '1500000001', inputNanoUsd: '0', outputNanoUsd: '0' },
  ...{ cacheReadNanoUsd: '0', cacheWriteNanoUsd: '0', unpricedRecords: 0, unreportedRecords: 0 },
  ...more,
});

async function linesOf(rows: readonly UsageFineRow[], key: 'cost' | 'inputTokens' | 'records') {
  const history = createHistorySeries(options);
  for (const each of rows) await history.add(each);
  const { lines, series, samples } = history.read(key);
  expect(samples).toBe(lines.split('\n').length - 1);
  return { series, lines: lines.trimEnd().split('\n') };
}

const labels =
  'job="j",instance="i",gen_ai_provider_name="gcp.gemini",gen_ai_request_model="m",' +
  'pi_project="shop",pi_host_name="pi",pi_billing="metered",pi_spend_kind="turn"';

it('an hour that grows has what was before at its beginning, and the sum at its end', async () => {
  const { lines } = await linesOf(
    [
      row({ hour: '2026-05-01T11', nanoUsd: '2000000000' }),
      row({}),
      row({ day: '2026-04-30', nanoUsd: '1' }),
    ],
    'cost',
  );
  const name = `pi_cost_usd_total{${labels},pi_cost_source="catalog"}`;
  expect(lines).toEqual([
    `${name} 0 ${atMs('2026-05-01T09:00:01Z')}`,
    `${name} 1.500000002 ${atMs('2026-05-01T10:00:00Z')}`,
    `${name} 1.500000002 ${atMs('2026-05-01T11:00:01Z')}`,
    `${name} 3.500000002 ${atMs('2026-05-01T12:00:00Z')}`,
  ]);
});

it('nothing of the current hour is later than now, an hour to come keeps its order', async () => {
  const hours = ['2026-05-02T12', '2026-05-02T14', '2026-05-02T15'];
  const { lines } = await linesOf(
    hours.map((hour) => row({ hour })),
    'cost',
  );
  const times = lines.map((line) => Number(line.split(' ').at(-1)));
  expect(times.slice(0, 2)).toEqual([atMs('2026-05-02T12:00:01Z'), nowMs / 1000]);
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
});

it('input tokens count those of the cache', async () => {
  const { lines } = await linesOf([row({})], 'inputTokens');
  expect(lines[1]).toBe(
    'gen_ai_client_inference_usage_input_tokens_total{' +
      `${labels.replace('instance="i",', 'instance="i",gen_ai_token_modality="unknown",')}} 110 ` +
      `${atMs('2026-05-01T10:00:00Z')}`,
  );
});

it('what has no price has no cost, and is a record without one', async () => {
  const unpriced = row({ nanoUsd: '0', costSource: 'unpriced', unpricedRecords: 1 });
  expect((await linesOf([unpriced], 'cost')).series).toBe(0);
  expect((await linesOf([unpriced], 'records')).lines[1]).toContain(
    'pi_cost_source="unpriced"} 1 ',
  );
  const free = row({ nanoUsd: '0' });
  expect((await linesOf([free], 'cost')).lines[1]).toContain('} 0 ');
});

it('what is not known has no label, and a user only where rows have one', async () => {
  const [line] = (await linesOf([row({ project: null, user: 'ada' })], 'records')).lines;
  expect(line).not.toContain('pi_project');
  expect(line).toContain('pi_user="ada"');
});
