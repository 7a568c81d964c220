import { expect, test } from 'vitest';
import { createPrivateLines } from '../../../../collector/reconcile/files/private-lines.ts';

const mark = (state: string) => ({
  type: 'custom',
  customType: 'pi-ledger.recording',
  data: { state },
});

test('lines that cannot be read are private only until the stretch is resumed', () => {
  const lines = createPrivateLines();
  lines.take(mark('paused'));
  expect(lines.isPaused).toBe(true);
  lines.take(mark('resumed'));
  expect(lines.isPaused).toBe(false);
  expect(lines.take({ type: 'message', message: { role: 'toolResult' } })).toBe('private');
  expect(lines.isPaused).toBe(false);
});
