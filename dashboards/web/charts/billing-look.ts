/** How bars of each kind of money look, and what they say of themselves. */
import type { Billing } from '@pi-ledger/contract/billings';

export type BillingStyle = 'solid' | 'pale' | 'dotted';

interface Look {
  readonly label: string;
  /** What is above the line, and what below. */
  readonly words: { readonly above: string; readonly below: string };
  readonly look: BillingStyle;
}

const covered = 'subscription: list price, not billed';

/** By what is above the line. */
export const billingLooks: Readonly<Record<Billing, Look>> = {
  metered: {
    label: 'Spend: metered above the line, what subscriptions cover below it',
    words: { above: 'metered', below: covered },
    look: 'solid',
  },
  subscription: {
    label: 'Spend: what subscriptions cover, at list price',
    words: { above: covered, below: '' },
    look: 'pale',
  },
  unknown: {
    label: 'Spend: not known how it is paid',
    words: { above: 'billing unknown: by use, or by a plan', below: '' },
    look: 'dotted',
  },
};
