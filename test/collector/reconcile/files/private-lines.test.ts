import { describe, expect, it, test } from 'vitest';
import { createPrivateLines } from '../../../../collector/reconcile/files/private-lines.ts';
import type { Json } from '../support/entries.ts';

const mark = (state: unknown) => ({
  type: 'custom',
  customType: 'pi-ledger.recording',
  data: { state },
});
const said = (role: string) => ({ type: 'message', message: { role } });

/** What is said of the last of these lines. */
function takenLast(...lines: readonly Json[]): string | undefined {
  const privacy = createPrivateLines();
  return lines.map((line) => privacy.take(line)).at(-1);
}

test('lines that cannot be read are private only until the stretch is resumed', () => {
  const lines = createPrivateLines();
  lines.take(mark('paused'));
  expect(lines.isPaused).toBe(true);
  lines.take(mark('resumed'));
  expect(lines.isPaused).toBe(false);
  expect(lines.take({ type: 'message', message: { role: 'toolResult' } })).toBe('private');
  expect(lines.isPaused).toBe(false);
});

describe('a line of a session', () => {
  const result = said('toolResult');
  const answer = said('assistant');
  const change = { type: 'model_change' };

  it.each<[what: string, lines: readonly Json[], taken: string]>([
    ['open before any pause', [answer], 'open'],
    ['open where it says that a pause begins', [mark('paused')], 'open'],
    ['private below that', [mark('paused'), answer, answer], 'private'],
    ['the one that ends a pause', [mark('paused'), answer, mark('resumed')], 'resumed'],
    ['open behind that', [mark('paused'), mark('resumed'), answer], 'open'],
    ['private as a result right behind', [mark('resumed'), result, result], 'private'],
    ['open as a result behind something else', [mark('resumed'), answer, result], 'open'],
    ['... behind what is no message', [mark('resumed'), change, result], 'open'],
    ['private once more', [mark('resumed'), answer, mark('paused'), result], 'private'],
  ])('is %s', (_what, lines, taken) => expect(takenLast(...lines)).toBe(taken));

  it.each<[what: string, line: Json]>([
    ['of another type', { ...mark('resumed'), type: 'custom_message' }],
    ['of another extension', { ...mark('resumed'), customType: 'other.recording' }],
    ['of a state that nobody knows', mark('stopped')],
    ['of no state', { ...mark('resumed'), data: null }],
  ])('ends no pause where it is %s', (_what, line) => {
    expect(takenLast(mark('paused'), line)).toBe('private');
    expect(takenLast(mark('paused'), line, answer)).toBe('private');
  });
});
