import { expect, it } from 'vitest';
import { shortIds } from '../../../../collector/cli/output/short-ids.ts';

const early = '01a1fff5-4e28-7558-86d4-eb98a647fc02';
const sameMillisecond = '01a1fff5-4e28-7112-86d4-eb98a647fc02';
const late = '01a201df-657d-7346-9e8f-7624989e59e6';

it('shortens a UUID to eight characters', () => {
  const nameOf = shortIds([early, late, late]);
  expect([early, late].map(nameOf)).toEqual(['01a1fff5', '01a201df']);
});

it('keeps as much of a UUID as tells it from the others', () => {
  const nameOf = shortIds([late, early, sameMillisecond]);
  expect([early, sameMillisecond].map(nameOf)).toEqual(['01a1fff5-4e28-75', '01a1fff5-4e28-71']);
});

it('has no dash at the end of a short id', () => {
  const near = '01a1fff5-5e28-7558-86d4-eb98a647fc02';
  expect([early, near].map(shortIds([early, near]))).toEqual(['01a1fff5-4', '01a1fff5-5']);
});

it('leaves other ids and unknown ones as they are', () => {
  const nameOf = shortIds(['a-session-with-a-name', early]);
  expect(['a-session-with-a-name', late].map(nameOf)).toEqual(['a-session-with-a-name', late]);
});
