import { expect, it, onTestFinished } from 'vitest';
import { startMetricsPush } from '../../../../collector/exporters/metrics/push.ts';
import { readTelemetry } from '../../../../collector/exporters/otlp/settings.ts';
import { openEndpoint, partialSuccess } from '../support/endpoint.ts';
import { memoryCheckpoints } from './support/checkpoints.ts';
import { counting } from './support/counting.ts';
import { decodePoints, type ReceivedPoint } from './support/decode-points.ts';

const shop = { 'pi.project': 'shop', 'pi.billing': 'metered' };
const blog = { 'pi.project': 'blog', 'pi.billing': 'subscription' };

/** A busy machine answers in time all the same. */
const timeoutMs = 60_000;
/** Of many points, which take long to be decoded here. */
const unhurried = { intervalMs: 1_000, timeoutMs };

async function pushing(times = { intervalMs: 20, timeoutMs }) {
  const counters = counting();
  const endpoint = await openEndpoint();
  const outcomes: (string | null)[] = [];
  let isStoreBroken = false;
  const settings = readTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url }).signals.metrics;
  if (settings === null) throw new Error('not set up');
  const checkpoints = memoryCheckpoints();
  const start = async () => {
    const push = await startMetricsPush({
      ...{ settings, checkpoints, ...times, version: '0.1.0' },
      counters: {
        async read() {
          if (isStoreBroken) throw new Error('the disk is full');
          return counters.reading();
        },
      },
      now: Date.now,
      resourceOf: (startMs) => ({ 'service.instance.id': `store/0/${startMs}` }),
      onOutcome: (failure) => outcomes.push(failure),
    });
    onTestFinished(() => push.stop());
    return push;
  };
  const cycles = (): ReceivedPoint[][] => endpoint.requests.map(({ body }) => decodePoints(body));
  return {
    ...{ counters, endpoint, outcomes, start, cycles },
    breakStore: (isBroken: boolean) => {
      isStoreBroken = isBroken;
    },
    /** Of the last request; null: the series is not in it. */
    cost: (attributes: Readonly<Record<string, string>>) =>
      cycles()
        .at(-1)
        ?.find(
          (point) =>
            point.metric === 'pi.cost.usd' &&
            point.attributes['pi.project'] === attributes['pi.project'],
        )?.value ?? null,
  };
}

it('sends all counters at each interval, cumulative, from the start of the identity', async () => {
  const { counters, endpoint, start, cycles, outcomes } = await pushing();
  counters.add('cost', shop, 12_300_000n);
  counters.observe('toolDuration', { 'pi.project': 'shop' }, 2);
  const push = await start();
  await expect.poll(() => endpoint.requests.length).toBeGreaterThan(2);
  await push.stop();
  const [first = [], second = []] = cycles();
  const [cost, duration, hidden] = first;
  expect(cost).toMatchObject({
    ...{ metric: 'pi.cost.usd', unit: '{USD}', kind: 'counter', isCumulative: true },
    ...{ attributes: shop, value: 0.0123 },
  });
  expect(duration).toMatchObject({
    ...{ metric: 'gen_ai.execute_tool.duration', unit: 's', kind: 'histogram' },
    ...{ isCumulative: true, counts: [0, 0, 1, 0], bounds: [1, 5, 10], value: 0.000003 },
  });
  expect(hidden).toMatchObject({ metric: 'pi.metrics.hidden_series', kind: 'gauge', value: 0 });
  expect(cost?.resource).toEqual({ 'service.instance.id': `store/0/${cost?.startMs}` });
  expect(second[0]?.startMs).toBe(cost?.startMs);
  expect(second[0]?.timeMs).toBeGreaterThan(cost?.timeMs ?? 0);
  expect(new Set(outcomes)).toEqual(new Set([null]));
});

it('keeps the zero of a new series while the endpoint is down, also over a restart', async () => {
  const { counters, endpoint, start, cost, outcomes } = await pushing();
  counters.add('cost', shop, 10n ** 9n);
  const push = await start();
  await expect.poll(() => cost(shop)).toBe(1);
  endpoint.behave(() => ({ status: 503 }));
  counters.add('cost', blog, 5n * 10n ** 9n);
  await expect.poll(() => cost(blog)).toBe(0);
  await push.stop();
  const before = endpoint.requests.length;
  await start();
  await expect.poll(() => endpoint.requests.length).toBeGreaterThan(before + 2);
  expect(cost(blog)).toBe(0);
  expect(outcomes.at(-1)).toBe(`${endpoint.url}/v1/metrics: HTTP 503`);
  endpoint.behave(() => ({ status: 200 }));
  await expect.poll(() => cost(blog)).toBe(5);
  await expect.poll(() => outcomes.at(-1)).toBeNull();
});

it('says that the endpoint hangs, and stops all the same', async () => {
  const { counters, endpoint, start, outcomes } = await pushing({ intervalMs: 20, timeoutMs: 200 });
  counters.add('cost', shop, 1n);
  endpoint.behave(() => 'hang');
  const push = await start();
  await expect.poll(() => outcomes.at(-1)).toBe('No answer in time.');
  await push.stop();
  const { length } = endpoint.requests;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(endpoint.requests).toHaveLength(length);
});

it('says what the endpoint does not take, and goes on with the rest', async () => {
  const { counters, endpoint, start, cost, outcomes } = await pushing();
  counters.add('cost', shop, 10n ** 9n);
  await start();
  await expect.poll(() => cost(shop)).toBe(1);
  endpoint.behave(() => partialSuccess(1, 'too many series'));
  await expect
    .poll(() => outcomes.at(-1))
    .toBe('The endpoint does not take 1 of 2 points: too many series');
  counters.add('cost', blog, 5n * 10n ** 9n);
  await expect.poll(() => cost(blog)).toBe(5);
});

it('sends nothing while the store fails, says so, and goes on afterwards', async () => {
  const { counters, endpoint, start, breakStore, outcomes } = await pushing();
  counters.add('cost', shop, 1n);
  breakStore(true);
  await start();
  await expect.poll(() => outcomes.at(-1)).toBe('The counters cannot be read: the disk is full');
  expect(endpoint.requests).toEqual([]);
  breakStore(false);
  await expect.poll(() => endpoint.requests.length).toBeGreaterThan(0);
  await expect.poll(() => outcomes.at(-1)).toBeNull();
});

it('sends many points in parts, and shows values only when every part has arrived', async () => {
  const { counters, endpoint, start, cycles } = await pushing(unhurried);
  counters.add('cost', shop, 1n);
  await start();
  await expect.poll(() => endpoint.requests.length).toBeGreaterThan(0);
  let refused = 0;
  endpoint.behave(({ items }) => {
    const isRest = items.some(({ name }) => name === 'pi.metrics.hidden_series');
    if (isRest) refused += 1;
    return { status: isRest ? 503 : 200 };
  });
  const keys = ['cost', 'records', 'inputTokens', 'outputTokens'] as const;
  for (const key of keys)
    for (let project = 0; project < 1_500; project++)
      counters.add(key, { 'pi.project': `p${project}` }, 10n ** 9n);
  const last = () =>
    cycles().findLast((points) => points.some(({ metric }) => metric === 'pi.cost.usd'));
  await expect.poll(() => refused).toBeGreaterThan(1);
  expect(endpoint.requests.every(({ body }) => decodePoints(body).length <= 5_000)).toBe(true);
  expect(last()?.find(({ attributes }) => attributes['pi.project'] === 'p7')?.value).toBe(0);
  endpoint.behave(() => ({ status: 200 }));
  await expect
    .poll(() => last()?.find(({ attributes }) => attributes['pi.project'] === 'p7')?.value)
    .toBe(1);
});
