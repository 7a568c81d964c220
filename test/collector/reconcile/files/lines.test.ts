/** At bounds that need no long files, so that many changes of the code can be tried. */
import { describeLines } from './support/describe-lines.ts';

describeLines({
  ...{ blockBytes: 512, wholeBytesMax: 2_048, textBytesKept: 150 },
  ...{ squeezedBytesMax: 16_384, bracketsMax: 600 },
});
