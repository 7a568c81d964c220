import { describe, expect, it } from 'vitest';
import { isPaused, switchRecording } from '../../../extension/command/pause.ts';
import { sessionOf } from '../../../extension/host/session.ts';
import { entryTotals } from '../../../extension/live/entry-totals.ts';
import type { Attachment } from '../../../extension/recorder.ts';
import { answer, append, contextOf, newSession } from '../support/fake-session.ts';
import { newMachine, startProcess } from '../support/ledger-machine.ts';

function command(hasEntries = true) {
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
  const ledger = (name: string) => switchRecording(name, recorder, ctx, attachment);
  return { machine, recorder, session, ctx, ledger };
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
    const entries = sessionOf(ctx)?.entries();
    if (state === undefined || entries === undefined) throw new Error('no session');
    expect(entryTotals(state, entries)).toMatchObject({ hidden: 1, own: { inputTokens: 0 } });
    expect(ledger('resume')).toBe('Resumed: 1 entry since /ledger pause not recorded, for good');
    expect(ledger('session')).toBeNull();
  });

  it('promises nothing where the host keeps no entry', () => {
    const { ledger, recorder } = command(false);
    expect(ledger('pause')).toMatch(/^Not paused: the host keeps no entry/);
    expect(isPaused(recorder, 's')).toBe(false);
  });
});
