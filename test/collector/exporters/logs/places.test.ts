/** The spans that log records name are those that the exporter of traces sends. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { expect, it } from 'vitest';
import { readMemory } from '../../../../collector/exporters/logs/memory.ts';
import { eventSpanId, promptTraceId, runSpanId } from '../../../../collector/exporters/span-ids.ts';
import { stateBytesMax } from '../../../../collector/log/checkpoints.ts';
import { demoEvents } from '../../../../lab/bench/demo-events.ts';
import { openEndpoint } from '../support/endpoint.ts';
import { exportingLedgers } from '../support/exporting.ts';
import { ask, talk } from '../traces/support/talk.ts';
import { factsOf, recordedEvents, spansOf, stored } from '../traces/support/traced.ts';

const open = exportingLedgers();
const logsOnly = { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' };

/** A parent, its subagent, and what failed in that: two events, the last ones. */
function family() {
  const [parent, child] = [talk('parent'), talk('child')];
  ask(parent, 'p1', 2);
  child.add('pi.session.attributed.v1', 3, {
    parentSessionId: 'parent',
    agent: { kind: 'subagent', name: 'Scout' },
  });
  ask(child, 'c1', 5);
  child.add('pi.compaction.failed.v1', 6);
  child.add('pi.retry.ended.v1', 7, { promptEntryId: 'c1' });
  return [...parent.events, ...child.events];
}

it("of a subagent are in its parent's trace, also after a restart and amid the log", async () => {
  const events = family();
  const expected = [
    { name: 'pi.compaction.failed', spanId: eventSpanId(events.at(-2)?.id ?? '') },
    { name: 'pi.retry.given_up', spanId: runSpanId('child', 'c1') },
  ].map((each) => ({ ...each, traceId: promptTraceId('parent', 'p1') }));
  const endpoint = await openEndpoint();
  const first = await open(endpoint.url, { more: logsOnly });
  await first.accept(events.slice(0, -2));
  await first.reachesHead();
  await first.stop();
  const second = await open(endpoint.url, { home: first.home, more: logsOnly });
  await second.accept(events.slice(-2));
  await second.reachesHead();
  expect(endpoint.taken()).toMatchObject(expected);
  const late = await openEndpoint();
  const silent = await open('');
  await silent.accept(events.slice(0, -2));
  await silent.ledger.subscription.catchUp();
  await silent.stop();
  const amid = await open(late.url, { home: silent.home, more: logsOnly });
  await amid.accept(events.slice(-2));
  await amid.reachesHead();
  expect(late.taken()).toMatchObject(expected);
});

it.each([
  ['the demo', async () => [...demoEvents(3_000)]],
  ['recorded subagents', async () => (await recordedEvents('omp18')).toSorted(byTime)],
])('are sent, of %s', async (_, read) => {
  const events = await read();
  const endpoint = await openEndpoint();
  const exporting = await open(endpoint.url, { more: logsOnly });
  await exporting.accept(events);
  await exporting.reachesHead();
  const spans = spansOf(stored(events), factsOf(events));
  const known = new Set(spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`));
  const told = endpoint.taken().filter(({ name }) => name !== 'pi.producer.dropped');
  expect(told.length).toBeGreaterThan(0);
  expect(told.filter(({ traceId, spanId }) => !known.has(`${traceId} ${spanId}`))).toEqual([]);
});

it('are remembered in what a checkpoint holds, whatever names senders make up', () => {
  const memory = readMemory(null, 0);
  const long = '\u{1f4a5}'.repeat(100);
  const stories = Array.from({ length: 3_000 }, (_, index) => {
    const story = talk(`${index}${long}`.slice(0, 200), `/producers/${index}`);
    ask(story, `${index}${long}`.slice(0, 100), 2);
    return story;
  });
  for (const event of stored(stories.flatMap(({ events }) => events)))
    memory.places.follow(event, new Map());
  const most = Number.MAX_SAFE_INTEGER;
  const dropped = { spoolFull: most, spoolUnwritable: most, eventTooLarge: most };
  for (const { add } of stories) {
    const event = add('pi.producer.reported.v1', 3, {
      dropped: { ...dropped, recordFailed: most },
    });
    if (event.type === 'pi.producer.reported.v1') memory.drops.take(event);
  }
  const text = memory.written() ?? '';
  expect(Buffer.byteLength(text)).toBeGreaterThan(500_000);
  expect(Buffer.byteLength(text)).toBeLessThan(stateBytesMax);
  const again = readMemory(text, 6_000);
  expect(again.places.unknownIn(stored(stories.at(-1)?.events ?? []))).toEqual([]);
  expect(again.written()).toBeUndefined();
});

function byTime(one: LedgerEvent, other: LedgerEvent): number {
  return Date.parse(one.time) - Date.parse(other.time);
}
