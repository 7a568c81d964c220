import { expect, it } from 'vitest';
import { shareText } from '../../../core/text/share-text.ts';

it.each([
  [0, '0 %'],
  [1e-12, '<1 %'],
  [0.0099, '<1 %'],
  [0.01, '1 %'],
  [0.29, '29 %'],
  [0.57, '57 %'],
  [0.7899, '78 %'],
  [0.999_999_999_999_999, '99 %'],
  [1, '100 %'],
  [1.129, '112 %'],
  [1.13, '113 %'],
])('a share of %d is %s: never more than it is, and not nothing', (share, text) => {
  expect(shareText(share)).toBe(text);
});
