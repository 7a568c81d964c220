import { describe, expect, it } from 'vitest';
import { isPaused, respondWith, switchRecording } from '../../../extension/command/answer.ts';
import { readSession } from '../../../extension/host/session.ts';
import { entryTotals } from '../../../extension/live/entry-totals.ts';
import type { Attachment } from '../../../extension/recorder.ts';
import { answer, append, contextOf, newSession } from '../support/fake-session.ts';
import { newMachine, startProcess } from '../support/ledger-machine.ts';

function command(hasEntries = true, hostName: 'pi' | 'omp' = 'pi') {
  const machine = newMachine();
  const { recorder } = startProcess(machine);
  const session = newSession('s', machine.nowMs + 10);
  const ctx = contextOf(session);
  const attachment: Attachment = {
    sessionId: null,
    writeMark: (data) => {
      const body = { type: 'custom', customType: 'pi-ledger.recording', data };
      if (hasEntries) append(session, `m${session.entries.length}`, machine.nowMs, body);
      return hasEntries;
    },
  };
  recorder.handle('session_start', {}, ctx, attachment);
  const ledger = (name: string) => switchRecording(name, { recorder, hostName }, ctx, attachment);
  return { machine, recorder, session, ctx, attachment, ledger };
}

describe('/ledger pause and /ledger resume', () => {
  it('say what holds from here on', () => {
    const { ledger, recorder, session, machine, ctx } = command();
    expect(ledger('resume')).toBe('Not paused: this session is recorded');
    expect(ledger('pause')).toBe(
      'Paused: nothing of this session is recorded until /ledger resume',
    );
    expect(isPaused(recorder, 's')).toBe(true);
    expect(ledger('pause')).toMatch(/^Already paused/);
    append(session, 'a1', machine.nowMs + 20, answer('r1'));
    const state = recorder.sessions()[0];
    const entries = readSession(ctx)?.entries();
    if (state === undefined || entries === undefined) throw new Error('no session');
    expect(entryTotals(state, entries)).toMatchObject({ hidden: 1, own: { inputTokens: 0 } });
    expect(ledger('resume')).toBe('Resumed: 1 entry since /ledger pause not recorded, for good');
    expect(ledger('session')).toBeNull();
  });

  it('keep the session from the collector in between: /ledger asks nothing', async () => {
    const { recorder, ctx, attachment } = command();
    let asked = 0;
    const url = () => {
      asked += 1;
      return null;
    };
    const collector = { url, token: null, home: '/h' };
    const shipper = { retry: () => Promise.resolve() };
    const config = { home: '/nowhere' };
    const producer = { recorder, hostName: 'pi', collector, shipper, config };
    const respond = respondWith(
      producer as unknown as Parameters<typeof respondWith>[0],
      attachment,
    );
    const drafts: string[] = [];
    const say = (args: string) => respond(args, ctx, (draft) => drafts.push(draft));
    await say('pause');
    expect(await say('today')).toMatch(/: not known: paused: the collector is not asked$/);
    expect([asked, drafts]).toEqual([0, []]);
    await say('resume');
    await say('today');
    expect([asked > 0, drafts.length]).toEqual([true, 1]);
  });

  it('say on omp that other processes are recorded', () => {
    expect(command(true, 'omp').ledger('pause')).toBe(
      'Paused: nothing of this session is recorded until /ledger resume; ' +
        'agents that a tool starts as processes of their own are recorded',
    );
  });

  it('promises nothing where the host keeps no entry', () => {
    const { ledger, recorder } = command(false);
    expect(ledger('pause')).toMatch(/^Not paused: the host keeps no entry/);
    expect(isPaused(recorder, 's')).toBe(false);
  });
});
