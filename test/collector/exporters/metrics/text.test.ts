import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import { describe, expect, it } from 'vitest';
import { expositionPieces } from '../../../../collector/exporters/metrics/text.ts';

const resource = {
  'service.namespace': 'pi-ledger',
  'service.name': 'agents',
  'service.instance.id': 'store/0/1',
  'service.version': '0.1.0',
  'deployment.environment.name': 'team "a"',
};

const exposition = {
  startMs: 1,
  metrics: [
    {
      metric: metrics.cost,
      points: [
        {
          attributes: { 'pi.project': 'a "b"\\c\nd', 'pi.billing': 'metered' },
          amount: 12_300_000n,
        },
        { attributes: { 'otel.metric.overflow': 'true' }, amount: 10n ** 30n + 1n },
      ],
    },
    { metric: metrics.records, points: [] },
    {
      metric: metrics.toolDuration,
      points: [
        {
          attributes: { 'gen_ai.tool.name': 'bash' },
          histogram: { bounds: [0.5, 1, 2], counts: [1n, 0n, 2n, 4n], sum: 31_000_001n },
        },
      ],
    },
    { metric: metrics.utilizationMax, points: [{ attributes: {}, amount: 930_000n }] },
  ],
};

const lines = async (format: 'text' | 'openmetrics') =>
  (await expositionPieces([{ exposition, resource }], format)).join('').split('\n');

describe('metrics as text', () => {
  const who = 'job="pi-ledger/agents",instance="store/0/1"';
  it('have the names, units and labels that they have by OTLP, and exact amounts', async () => {
    expect(await lines('text')).toEqual([
      `# HELP pi_cost_usd_total ${metrics.cost.description}`,
      '# TYPE pi_cost_usd_total counter',
      `pi_cost_usd_total{pi_project="a \\"b\\"\\\\c\\nd",pi_billing="metered",${who}} 0.0123`,
      `pi_cost_usd_total{otel_metric_overflow="true",${who}} 1000000000000000000000.000000001`,
      `# HELP gen_ai_execute_tool_duration_seconds ${metrics.toolDuration.description}`,
      '# TYPE gen_ai_execute_tool_duration_seconds histogram',
      ...['0.5"} 1', '1"} 1', '2"} 3', '+Inf"} 7'].map(
        (rest) =>
          `gen_ai_execute_tool_duration_seconds_bucket{gen_ai_tool_name="bash",${who},le="${rest}`,
      ),
      `gen_ai_execute_tool_duration_seconds_sum{gen_ai_tool_name="bash",${who}} 31.000001`,
      `gen_ai_execute_tool_duration_seconds_count{gen_ai_tool_name="bash",${who}} 7`,
      `# HELP pi_context_utilization_max_ratio ${metrics.utilizationMax.description}`,
      '# TYPE pi_context_utilization_max_ratio gauge',
      `pi_context_utilization_max_ratio{${who}} 0.93`,
      '# HELP target_info Target metadata',
      '# TYPE target_info gauge',
      `target_info{service_version="0.1.0",deployment_environment_name="team \\"a\\"",${who}} 1`,
      '',
    ]);
  });

  it.each([
    [0.00001, '1e-05', '1e-05'],
    [0.01, '0.01', '0.01'],
    [512_000, '512000', '512000.0'],
    [1_024_000, '1.024e+06', '1.024e+06'],
  ])('write the bound %d as what arrives by OTLP has it', async (bound, text, openmetrics) => {
    const histogram = { bounds: [bound], counts: [1n, 0n], sum: 0n };
    const points = [{ attributes: {}, histogram }];
    const shown = {
      exposition: { startMs: 0, metrics: [{ metric: metrics.tokensBefore, points }] },
    };
    const written = async (format: 'text' | 'openmetrics') =>
      (await expositionPieces([{ ...shown, resource }], format)).join('');
    expect(await written('text')).toContain(`le="${text}"`);
    expect(await written('openmetrics')).toContain(`le="${openmetrics}"`);
  });

  it('in OpenMetrics name families without _total, bounds as floats, and end', async () => {
    const found = await lines('openmetrics');
    expect(found).toContain('# TYPE pi_cost_usd counter');
    expect(found.filter((line) => line.includes('le="1.0"'))).toHaveLength(1);
    expect(found.slice(-2)).toEqual(['# EOF', '']);
  });
});
