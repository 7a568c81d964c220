import { expect, it, vi } from 'vitest';
import { processScreen, wantsColour } from '../../../../collector/cli/output/screen.ts';

it.each([
  [{}, true, true],
  [{}, false, false],
  [{ TERM: 'dumb' }, true, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '0' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '' }, false, false],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: 'false' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '', NO_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '3', TERM: 'dumb' }, false, true],
])('with %j on a terminal (%s), colour: %s', (env, isTerminal, wanted) => {
  expect(wantsColour(env, isTerminal)).toBe(wanted);
});

it('clears what is in sight, and leaves what has scrolled away', () => {
  const wasTerminal = process.stdout.isTTY;
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    process.stdout.isTTY = true;
    processScreen().clear?.();
    expect(write.mock.calls).toEqual([['\u001b[H\u001b[2J']]);
  } finally {
    write.mockRestore();
    process.stdout.isTTY = wasTerminal;
  }
});
