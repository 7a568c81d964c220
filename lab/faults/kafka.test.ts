import { it } from 'vitest';
import { seed } from '../../test/hosts/support/machine/dice.ts';
import { isLocalBrokerPossible } from '../../test/services/kafka/local-broker.ts';
import { isLocalServerPossible } from '../../test/services/mongodb/local-server.ts';
import { expectAllHolds } from './short-run.ts';

/** One of both, so that a run takes no longer: the seed decides. */
const [target, ledger] =
  seed % 2 === 0
    ? (['kafka', 'a ledger'] as const)
    : (['cells', 'a ledger of four cells'] as const);

it.skipIf(!isLocalServerPossible() || !isLocalBrokerPossible())(
  `has what was acknowledged once, and right figures, in ${ledger}, whatever is done to ` +
    'gateways, workers, a broker and a database',
  () => expectAllHolds(target, 7),
);
