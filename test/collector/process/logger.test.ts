import { expect, it, vi } from 'vitest';
import { createLogger, holdLog } from '../../../collector/process/logger.ts';

it('writes errors of the background as a line of JSON each, with what was being done', async () => {
  const lines: string[] = [];
  const logger = await createLogger({ write: (line) => void lines.push(line) });
  logger.reporter('while sealing history')(new TypeError('no room'));
  logger.forServer?.info('of no interest');
  logger.forServer?.warn('a warning');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 50,
      msg: 'while sealing history',
      err: expect.objectContaining({
        type: 'TypeError',
        message: 'no room',
        stack: expect.stringContaining('logger.test.ts'),
      }),
    }),
    expect.objectContaining({ level: 40, msg: 'a warning' }),
  ]);
  expect(lines.every((line) => line.endsWith('\n'))).toBe(true);
});

it('notes a line once a minute, from wherever it comes', async () => {
  const lines: string[] = [];
  const logger = await createLogger({ write: (line) => void lines.push(line) });
  for (const message of ['no endpoint', 'no endpoint', 'another', 'no endpoint'])
    logger.note(message);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['no endpoint', 'another']);
});

it('logs nothing without a stream', async () => {
  const logger = await createLogger(null);
  logger.reporter('while sealing history')(new Error('no room'));
  expect(logger.forServer).toBeNull();
});

it('keeps the lines of a start back until it is known, and no longer than a second', () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const hold = () => holdLog({ write: (line) => void lines.push(line) });
  const [failed, started, slow] = [hold(), hold(), hold()];
  for (const [name, { stream }] of Object.entries({ failed, started, slow })) stream.write(name);
  expect(lines).toEqual([]);
  failed.drop();
  failed.release();
  started.release();
  expect(lines).toEqual(['started']);
  vi.advanceTimersByTime(1_000);
  slow.stream.write('and on');
  expect(lines).toEqual(['started', 'slow', 'and on']);
  vi.useRealTimers();
});
