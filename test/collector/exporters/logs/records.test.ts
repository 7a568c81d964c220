import { describe, expect, it } from 'vitest';
import {
  eventSpanId,
  loneTraceId,
  promptTraceId,
  runSpanId,
} from '../../../../collector/exporters/span-ids.ts';
import { exampleSpend } from '../../../../contract/spend.ts';
import { eventId, exampleEvent } from '../../support/events.ts';
import { memberEvents } from '../../support/family.ts';
import { openEndpoint } from '../support/endpoint.ts';
import { exportingLedgers } from '../support/exporting.ts';

const open = exportingLedgers();
const shop = memberEvents({ id: 'session-1' });
const ofShop = {
  'gen_ai.conversation.id': 'session-1',
  'pi.project': 'shop',
  'pi.host.name': 'pi',
  'pi.host.version': '0.87.1',
};

/** What arrives of these events. */
async function recordsOf(...events: readonly object[]) {
  const endpoint = await openEndpoint();
  const exporting = await open(endpoint.url, { more: logsOnly });
  await exporting.accept([...shop, ...events]);
  await exporting.reachesHead();
  return endpoint.taken();
}

const logsOnly = { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' };

describe('a log record', () => {
  it('tells of a compaction, with the reason that the host gave, in the span of it', async () => {
    const [record, ...others] = await recordsOf(
      exampleEvent({ number: 1, type: 'pi.compaction.completed.v1' }),
      exampleEvent({ number: 2, type: 'pi.compaction.timed.v1' }),
    );
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      name: 'pi.compaction.completed',
      severity: 9,
      timeMs: Date.parse('2026-11-22T09:00:00.000Z'),
      traceId: promptTraceId('session-1', 'c15232cc'),
      spanId: eventSpanId(eventId(1)),
      resource: { 'service.namespace': 'pi-ledger', 'service.name': 'agents' },
    });
    expect(record?.attributes).toEqual({
      ...ofShop,
      'log.record.uid': eventId(1),
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'claude-sonnet-5',
      'gen_ai.usage.input_tokens': 1410,
      'gen_ai.usage.output_tokens': 51,
      'pi.outcome': 'completed',
      'pi.compaction.trigger': 'manual',
      'pi.compaction.duration': 18.204,
      'pi.compaction.tokens_before': 9600,
    });
  });

  it.each([
    [false, 'failed'],
    [true, 'aborted'],
  ])('tells of a compaction that did not succeed (aborted: %s)', async (aborted, outcome) => {
    const type = 'pi.compaction.failed.v1';
    const [record] = await recordsOf(exampleEvent({ number: 1, type, data: { aborted } }));
    expect(record).toMatchObject({
      ...{ name: 'pi.compaction.failed', severity: 13 },
      ...{ traceId: loneTraceId(eventId(1)), spanId: eventSpanId(eventId(1)) },
    });
    expect(record?.attributes).toEqual({
      ...ofShop,
      'log.record.uid': eventId(1),
      'pi.outcome': outcome,
      'pi.compaction.trigger': 'manual',
      'pi.compaction.duration': 0.95,
    });
  });

  it.each([
    ['error', 529, 'pi.attempt.failed', 17, 'failed', '529'],
    ['error', null, 'pi.attempt.failed', 17, 'failed', 'unknown'],
    ['aborted', null, 'pi.attempt.aborted', 9, 'aborted', undefined],
  ])(
    'tells of an attempt that ended by %s (%s)',
    async (stopReason, errorStatus, name, severity, outcome, errorType) => {
      const spend = { ...exampleSpend, reported: false, provider: 'amazon-bedrock' };
      const [record] = await recordsOf(
        exampleEvent({ number: 1, data: { stopReason, errorStatus, spend } }),
        exampleEvent({ number: 2, data: { stopReason: 'stop' } }),
      );
      expect(record).toMatchObject({ name, severity, spanId: eventSpanId(eventId(1)) });
      expect(record?.attributes).toEqual({
        ...ofShop,
        'log.record.uid': eventId(1),
        'gen_ai.provider.name': 'aws.bedrock',
        'gen_ai.request.model': 'claude-sonnet-5',
        'pi.outcome': outcome,
        ...(errorType === undefined ? {} : { 'error.type': errorType }),
      });
    },
  );

  it('tells of retries that the host gave up, in the span of the run', async () => {
    const type = 'pi.retry.ended.v1';
    const records = await recordsOf(
      exampleEvent({ number: 1, type }),
      exampleEvent({ number: 2, type, data: { succeeded: true } }),
    );
    expect(records).toMatchObject([
      {
        name: 'pi.retry.given_up',
        severity: 17,
        spanId: runSpanId('session-1', 'fcab7523'),
        attributes: { ...ofShop, 'gen_ai.provider.name': 'anthropic', 'pi.retry.attempts': 3 },
      },
    ]);
  });

  it('tells what producers newly dropped, also when the collector was restarted', async () => {
    const endpoint = await openEndpoint();
    const report = (number: number, spoolFull: number, source = '/producers/one') =>
      exampleEvent({
        ...{ number, source },
        type: 'pi.producer.reported.v1',
        data: { dropped: { spoolFull, spoolUnwritable: 0, eventTooLarge: 1, recordFailed: 0 } },
      });
    const first = await open(endpoint.url, { more: logsOnly });
    await first.accept([report(1, 5), report(2, 5), report(3, 7)]);
    await first.reachesHead();
    await first.stop();
    const second = await open(endpoint.url, { home: first.home, more: logsOnly });
    await second.accept([report(4, 7), report(5, 8), report(6, 2, '/producers/two')]);
    await second.reachesHead();
    const drops = endpoint
      .taken()
      .map(({ name, attributes }) => [
        name,
        attributes['pi.producer'],
        attributes['pi.dropped.spool_full'],
        attributes['pi.dropped.event_too_large'],
        attributes['gen_ai.conversation.id'],
      ]);
    expect(drops).toEqual([
      ['pi.producer.dropped', '/producers/one', 5, 1, undefined],
      ['pi.producer.dropped', '/producers/one', 2, 0, undefined],
      ['pi.producer.dropped', '/producers/one', 1, 0, undefined],
      ['pi.producer.dropped', '/producers/two', 2, 1, undefined],
    ]);
  });

  it('holds nothing of the content, and cuts long names', async () => {
    const subject = 'session-1';
    const records = await recordsOf(
      exampleEvent({ number: 1, subject, type: 'pi.compaction.completed.v1' }),
      exampleEvent({ number: 2, subject, type: 'pi.compaction.timed.v1' }),
      exampleEvent({ number: 3, subject, type: 'pi.compaction.failed.v1' }),
      exampleEvent({
        number: 4,
        data: { stopReason: 'error', spend: { ...exampleSpend, model: 'm'.repeat(400) } },
      }),
    );
    const text = JSON.stringify(records);
    for (const content of ['notes.txt', 'out.txt', 'text', 'summary', 'a70dd6a6'])
      expect(text).not.toContain(content);
    expect(records.at(-1)?.attributes['gen_ai.request.model']).toBe('m'.repeat(200));
  });

  it('has the same id when it comes again', async () => {
    const type = 'pi.retry.ended.v1';
    const sent = [exampleEvent({ number: 1, type }), exampleEvent({ number: 2, type })];
    const uids = (await recordsOf(...sent)).map(({ attributes }) => attributes['log.record.uid']);
    expect(uids).toEqual(sent.map(({ id }) => id));
    const again = (await recordsOf(...sent)).map(({ attributes }) => attributes['log.record.uid']);
    expect(again).toEqual(uids);
  });

  it('is made of what a session did outside of ignored projects', async () => {
    const endpoint = await openEndpoint();
    const settings = { projects: [{ match: 'secret*', ignore: true }] };
    const exporting = await open(endpoint.url, { settings, more: logsOnly });
    const attributed = (name: string, time: string, number: number) =>
      exampleEvent({
        ...{ number, time, type: 'pi.session.attributed.v1' },
        data: { project: { name, remote: null, branch: null, worktree: null } },
      });
    const failed = (time: string, number: number) =>
      exampleEvent({ number, time, type: 'pi.retry.ended.v1' });
    await exporting.accept([
      attributed('secrets', '2026-11-22T08:00:00.000Z', 10),
      attributed('shop', '2026-11-22T10:00:00.000Z', 11),
      failed('2026-11-22T09:00:00.000Z', 12),
      failed('2026-11-22T11:00:00.000Z', 13),
    ]);
    await exporting.reachesHead();
    expect(endpoint.taken().map(({ attributes }) => attributes['log.record.uid'])).toEqual([
      eventId(13),
    ]);
  });

  it('is not made of sessions whose project the rules ignore', async () => {
    const endpoint = await openEndpoint();
    const settings = { projects: [{ match: 'secret*', ignore: true }] };
    const exporting = await open(endpoint.url, { settings, more: logsOnly });
    await exporting.accept([
      ...shop,
      ...memberEvents({ id: 'hidden', project: 'secrets' }),
      exampleEvent({ number: 1, subject: 'hidden', type: 'pi.compaction.completed.v1' }),
      exampleEvent({ number: 2, type: 'pi.compaction.completed.v1' }),
    ]);
    await exporting.reachesHead();
    expect(endpoint.taken().map(({ attributes }) => attributes['gen_ai.conversation.id'])).toEqual([
      'session-1',
    ]);
  });
});

it('tells of a budget that came into another state, when the collector saw it', async () => {
  const endpoint = await openEndpoint();
  const { ledger, reachesHead } = await open(endpoint.url, { more: logsOnly });
  const crossed = exampleEvent({ number: 1, type: 'pi.budget.crossed.v1' });
  const before = Date.now();
  const fullAt = '2026-11-28T13:20:00.000Z';
  const likely = exampleEvent({
    ...{ number: 2, type: 'pi.budget.crossed.v1' },
    data: { to: 'forecast', forecast: { low: '1', middle: '214.75', high: '251', fullAt } },
  });
  await ledger.ingest.accept([crossed, likely], undefined, { is: 'record' });
  await reachesHead();
  const [record, expected] = endpoint.taken();
  expect(expected?.attributes).toMatchObject({
    ...{ 'pi.budget.state': 'forecast', 'pi.budget.forecast': 214.75 },
  });
  expect(record).toMatchObject({ name: 'pi.budget.crossed', severity: 13 });
  expect(record?.timeMs).toBeGreaterThanOrEqual(before);
  expect(record?.attributes).toEqual({
    'log.record.uid': eventId(1),
    'pi.project': 'shop',
    'pi.budget.name': 'shop',
    'pi.budget.state': 'warning',
    'pi.budget.state.previous': 'ok',
    'pi.budget.used': 161.204417,
    'pi.budget.limit': 200,
    'pi.budget.unit': 'metered dollars',
    'pi.budget.used.is_at_least': true,
    'pi.budget.is_first': true,
  });
});
