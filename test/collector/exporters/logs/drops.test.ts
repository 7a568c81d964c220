import { expect, it } from 'vitest';
import { readDrops } from '../../../../collector/exporters/logs/drops.ts';
import { stateBytesMax } from '../../../../collector/log/checkpoints.ts';
import { exampleEvent } from '../../support/events.ts';

const dropped = { spoolFull: 3, spoolUnwritable: 0, eventTooLarge: 0, recordFailed: 0 };

function reportOf(source: string) {
  const event = exampleEvent({ number: 1, type: 'pi.producer.reported.v1', source });
  if (event.type !== 'pi.producer.reported.v1') throw new Error(event.type);
  return { ...event, data: { ...event.data, dropped } };
}

it('what producers dropped is told once, and again after its state was written and read', () => {
  const drops = readDrops(null);
  expect(drops.take(reportOf('/producers/a'))).toEqual(dropped);
  expect(drops.take(reportOf('/producers/a'))).toBeNull();
  const again = readDrops(JSON.parse(drops.written() ?? ''));
  expect(again.take(reportOf('/producers/a'))).toBeNull();
  expect(again.take(reportOf('/producers/b'))).toEqual(dropped);
});

it('stays below what a checkpoint takes, whatever senders call themselves', () => {
  const drops = readDrops(null);
  for (let sender = 0; sender < 2_000; sender++)
    drops.take(reportOf(`${sender}`.padEnd(200, '\u0001')));
  expect(Buffer.byteLength(drops.written() ?? '')).toBeLessThan(stateBytesMax / 4);
});
