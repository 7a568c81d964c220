/** Reading a log from its start, for subagents whose files are gone. */
import { expect, it } from 'vitest';
import { wholeLog } from '../../../collector/importers/whole-log.ts';
import type { Log } from '../../../collector/log/log.ts';
import type { StoredEvent } from '../../../collector/log/stored-event.ts';

const text = (position: number, id = `${position}`) => ({
  position,
  receivedAtMs: 0,
  eventId: `${position}`,
  text: JSON.stringify({
    id,
    type: 'pi.session.started.v1',
    source: '/s',
    subject: 's',
    time: '2026-11-20T09:00:00.000Z',
    data: {},
  }),
});

it('gives each event once, in order, and passes over damaged and withdrawn ones', async () => {
  const texts = [text(1), text(2, 'another'), { ...text(3), text: '{' }, text(4), text(5), text(6)];
  const withdrawals = { names: ({ event }: StoredEvent) => event.id === '6' };
  const log = {
    readTexts: async (after: number) => texts.slice(after, after + 2),
    withdrawals: async () => withdrawals,
  } as never as Log;
  const ids: string[] = [];
  for await (const { id } of wholeLog(log)) ids.push(id);
  expect(ids).toEqual(['1', '4', '5']);
});
