import { it } from 'vitest';
import { isLocalServerPossible } from '../../test/services/mongodb/local-server.ts';
import { expectAllHolds } from './short-run.ts';

it.skipIf(!isLocalServerPossible())(
  'has what was acknowledged once, and right figures, whatever is done to two collectors and a ' +
    'database',
  () => expectAllHolds('mongodb', 7),
);
