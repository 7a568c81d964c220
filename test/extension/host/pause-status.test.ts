import { describe, expect, it } from 'vitest';
import { createPauseStatus } from '../../../extension/host/pause-status.ts';

describe('the status', () => {
  const shown: [string, unknown][] = [];
  const ctxOf = (mode: string | null, hasUI = true) => ({
    hasUI,
    ...(mode !== null && { mode }),
    ui: { setStatus: (...args: [string, unknown]) => void shown.push(args) },
  });

  it('stands in the footer of a terminal as long as the session is paused', () => {
    shown.length = 0;
    const status = createPauseStatus('tui');
    status.show(ctxOf('tui'), false, true);
    status.show(ctxOf('rpc'), true, false);
    status.show(ctxOf('tui', false), true, false);
    expect(shown).toEqual([]);
    status.show(ctxOf(null), true, false);
    status.show(ctxOf('tui'), true, false);
    status.show(ctxOf('tui'), true, true);
    status.show(ctxOf('tui'), false, false);
    status.show(ctxOf('tui'), false, false);
    expect(shown.map(([, text]) => text)).toEqual(['ledger paused', 'ledger paused', undefined]);
  });

  it('is silent where the host shows no terminal', () => {
    shown.length = 0;
    createPauseStatus('rpc').show(ctxOf(null), true, true);
    expect(shown).toEqual([]);
  });
});
