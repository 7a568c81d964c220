/**
 * How what was spent is billed. Amounts of two billings are never added up. Without schemas, so
 * that a command that prints a table loads no library for them.
 */
export const billings = ['metered', 'subscription', 'unknown'] as const;
export type Billing = (typeof billings)[number];

/** As a view's column has it; what is neither of the two is unknown. */
export function readBilling(text: string | undefined): Billing {
  return text === 'metered' || text === 'subscription' ? text : 'unknown';
}

/** What an answer calls the amount of each. */
export const amountNames = {
  metered: 'meteredNanoUsd',
  subscription: 'subscriptionNanoUsd',
  unknown: 'unknownBillingNanoUsd',
} as const satisfies Readonly<Record<Billing, string>>;
export type AmountName = (typeof amountNames)[Billing];

/** Figures of each billing where nothing was spent. */
export const notBilled = {
  inputNanoUsd: '0',
  outputNanoUsd: '0',
  cacheReadNanoUsd: '0',
  cacheWriteNanoUsd: '0',
  otherNanoUsd: '0',
  unpricedRecords: 0,
  unreportedRecords: 0,
  lowerBoundRecords: 0,
};
export const billedNames = Object.keys(notBilled) as readonly (keyof typeof notBilled)[];
