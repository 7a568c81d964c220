import { expect, it } from 'vitest';
import { moreProviders } from '../../../../dashboards/web/views/overview/how-paid.tsx';

it('one more provider is one', () => {
  expect(moreProviders(1)).toBe('1 more provider');
  expect(moreProviders(2)).toBe('2 more providers');
});
