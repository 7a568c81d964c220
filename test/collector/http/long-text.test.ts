/** An answer of very many pieces leaves the thread to others, however fast its reader is. */
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { LongText } from '../../../collector/http/long-text.ts';
import { turnsOfOthers } from '../support/turns.ts';

it('between parts of it', async () => {
  const pieces = Array.from({ length: 5_000 }, (_, index) => `${index},`);
  let text = '';
  const atOnce = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const answer = new LongText(pieces, pieces.join('').length);
  expect(await turnsOfOthers(() => pipeline(answer, atOnce))).toBeGreaterThanOrEqual(20);
  expect(text).toBe(pieces.join(''));
});
