import { expect, it } from 'vitest';
import { found, foundInText } from '../../../../collector/importers/session/found.ts';

it.each([
  [null, 'null'],
  [[1], 'an array'],
  ['secret', 'a string'],
  [1, 'a number'],
  [true, 'a boolean'],
  [{ type: 'message', text: 'secret' }, 'one of type "message"'],
  [{ type: 'x'.repeat(50) }, `one of type "${'x'.repeat(40)}"`],
  [{ type: 1 }, 'an object without a type'],
  [{}, 'an object without a type'],
])('what stood there is told by its kind, and no word of it: %j', (value, said) => {
  expect(found(value)).toBe(said);
});

it('a text is told by its length', () => {
  expect(foundInText('secret')).toBe('6 characters of something else');
});
