import { longLineBounds } from '../../../../collector/importers/session/long-line.ts';
import { describeLongLine } from './support/describe-long-line.ts';

describeLongLine(longLineBounds);
