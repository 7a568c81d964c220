import { decimalText } from '@pi-ledger/contract/amounts';
import { seriesText } from '@pi-ledger/contract/telemetry/prometheus-text';
import { expect, it } from 'vitest';

it('a series is its name and its labels, quoted', () => {
  expect(seriesText('a_total', { 'pi.project': 'sh"op\\\n', 'pi.billing': 'metered' })).toBe(
    'a_total{pi_project="sh\\"op\\\\\\n",pi_billing="metered"}',
  );
  expect(seriesText('a_total', {})).toBe('a_total');
});

it.each([
  [0n, 9, '0'],
  [12_300_000n, 9, '0.0123'],
  [1n, 9, '0.000000001'],
  [9_007_199_254_740_993_000_000_001n, 9, '9007199254740993.000000001'],
  [-1_500_000_000n, 9, '-1.5'],
  [42n, 0, '42'],
  [100n, 0, '100'],
])('%s of 10^-%s is %s', (amount, digits, text) => {
  expect(decimalText(amount, digits)).toBe(text);
});
