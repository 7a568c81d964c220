import { expect, it } from 'vitest';
import { metrics } from '../../contract/telemetry/metrics.ts';
import { currentPage, writtenPage } from './observability-docs.ts';

it('docs/observability.md has the names of today (npm run observability-docs writes them)', () => {
  expect(currentPage()).toBe(writtenPage());
});

it('docs/observability.md has a row for every metric', () => {
  const page = currentPage();
  for (const { name } of Object.values(metrics)) expect(page).toContain(`\n| \`${name}\` |`);
});
