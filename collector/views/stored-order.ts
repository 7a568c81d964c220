/**
 * The order in which stores sort values: nothing before everything, numbers by size, texts by their
 * bytes in UTF-8, that is, by code points. JavaScript compares UTF-16, which puts what lies beyond
 * U+FFFF before U+E000. Pure.
 */
import type { Scalar } from '../projections/projection.ts';

export function compareStored(left: Scalar, right: Scalar): number {
  if (left === right) return 0;
  if (left === null || right === null) return left === null ? -1 : 1;
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  return left < right ? -1 : 1;
}

function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const [one, other] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (one !== other) return sortRank(one) - sortRank(other);
  }
  return left.length - right.length;
}

/** Surrogates, halves of what lies beyond U+FFFF, after all other code units. */
function sortRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
