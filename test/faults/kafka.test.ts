import { it } from 'vitest';
import { isLocalBrokerPossible } from '../services/kafka/local-broker.ts';
import { isLocalServerPossible } from '../services/mongodb/local-server.ts';
import { expectAllHolds } from './short-run.ts';

it.skipIf(!isLocalServerPossible() || !isLocalBrokerPossible())(
  'has what was acknowledged once, and right figures, whatever is done to gateways, workers, a ' +
    'broker and a database',
  () => expectAllHolds('kafka', 7),
);
