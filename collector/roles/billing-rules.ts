/**
 * How providers are paid, as the user says: kept in `config.json`, and in force at once. A process
 * that does not write the ledger changes nothing.
 */
import { errorText } from '@pi-ledger/core/text/error-text';
import type { BillingRules } from '../answers/billing/route.ts';
import type { CollectorConfig } from '../config/config.ts';
import { writeBilling } from '../config/write-billing.ts';
import { LedgerError } from '../errors.ts';
import type { Billing } from '../projections/rules.ts';
import type { SwitchingSubscription } from '../subscription/switching-subscription.ts';

interface BillingRulesOptions {
  readonly config: Pick<CollectorConfig, 'home' | 'role' | 'rules'>;
  readonly subscription: Pick<SwitchingSubscription, 'begin' | 'end' | 'state'>;
  /** Whether this process has the right to write. */
  isWriter(): boolean;
}

export function createBillingRules(options: BillingRulesOptions): BillingRules {
  const { config, subscription, isWriter } = options;
  const { rules } = config;
  let turn: Promise<unknown> = Promise.resolve();

  async function change(changes: Parameters<BillingRules['change']>[0]): Promise<void> {
    if (config.role !== 'all') throw ofSeveral();
    if (!isWriter()) throw new LedgerError('store_locked');
    const before = rules.billing;
    const isSame = Object.entries(changes).every(([name, kind]) => (before[name] ?? null) === kind);
    if (isSame) return;
    write(config.home, changes);
    const kinds: readonly [string, Billing | null][] = Object.entries({ ...before, ...changes });
    const billing = kinds.flatMap(([name, kind]): [string, Billing][] =>
      kind === null ? [] : [[name, kind]],
    );
    await subscription.end();
    rules.billing = Object.fromEntries(billing);
    // The right to write may have gone meanwhile.
    if (isWriter()) subscription.begin();
  }

  return {
    inForce: () => rules.billing,
    change(changes) {
      const changed = turn.then(() => change(changes));
      turn = changed.catch(() => undefined);
      return changed;
    },
    async isBehind() {
      return (await subscription.state()).some(({ isOutdated }) => isOutdated);
    },
  };
}

/** Each worker reads its own settings; another one may fold next. */
function ofSeveral(): LedgerError {
  const message =
    'This ledger has several processes: set "billing" in the config.json of each worker, and ' +
    'start them again.';
  return new LedgerError('config_invalid', { message });
}

function write(home: string, changes: Parameters<typeof writeBilling>[1]): void {
  try {
    writeBilling(home, changes);
  } catch (cause) {
    const message = `Nothing has changed: config.json cannot be written. ${errorText(cause)}`;
    throw new LedgerError('config_invalid', { message, cause });
  }
}
