import { expect, it } from 'vitest';
import { lineBounds } from '../../../../collector/reconcile/files/lines.ts';
import { describeLines } from './support/describe-lines.ts';

const MiB = 1024 * 1024;

it('is kept whole up to 4 MiB, and then up to 32 MiB beside its texts', () => {
  expect(lineBounds).toMatchObject({ wholeBytesMax: 4 * MiB, squeezedBytesMax: 32 * MiB });
});

describeLines(lineBounds);
