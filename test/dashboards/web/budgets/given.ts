import type { Budget } from '@pi-ledger/contract/answers';
import {
  budgetExample,
  budgetPeriodExample,
  budgetVersionExample,
} from '../../../../contract/budget.ts';

export const budget: Budget = {
  name: 'shop',
  version: budgetVersionExample,
  ...budgetExample,
  raised: null,
  endsHeadlessRuns: false,
  warnByForecast: false,
  verifiedOnly: false,
  period: budgetPeriodExample,
  used: '171.5533',
  usedShare: 0.8577665,
  isAtLeast: true,
  unpricedRecords: 12,
  unreportedRecords: 1,
  unknownBillingRecords: 0,
  unverified: null,
  state: 'warning',
  forecast: null,
  noForecast: 'too early',
  fullAt: null,
  crossings: [],
};
