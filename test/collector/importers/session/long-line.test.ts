/** At bounds that need no long lines, so that many changes of the code can be tried. */
import { describeLongLine } from './support/describe-long-line.ts';

describeLongLine({
  stringBytesMax: { first: 512, later: 128 },
  ...{ firstBytes: 128 * 1024, keptBytesMax: 512 * 1024, valuesMax: 20_000 },
});
