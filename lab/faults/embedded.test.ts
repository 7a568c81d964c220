import { it } from 'vitest';
import { expectAllHolds } from './short-run.ts';

it('has what was acknowledged once, and right figures, whatever is done to a collector', () =>
  expectAllHolds('embedded', 16));
