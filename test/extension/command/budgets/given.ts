import type { OverviewBudget } from '../../../../extension/command/asking/overview.ts';

const november = {
  start: '2026-11-01T00:00:00.000Z',
  end: '2026-12-01T00:00:00.000Z',
};

export function budget(more: Partial<OverviewBudget> = {}): OverviewBudget {
  return {
    name: 'shop',
    per: 'month',
    unit: 'metered dollars',
    limit: '50',
    used: '52.1',
    usedShare: 1.042,
    isAtLeast: false,
    isHard: true,
    endsHeadlessRuns: false,
    version: '3f9a1c0b7d2e4856',
    period: november,
    state: 'over',
    expected: null,
    ...more,
  };
}
