import type { LedgerClient } from '../client/ledger-client.ts';
import { formatCount } from '../output/format.ts';
import type { Finding } from './finding.ts';

/** Is the collector ready, and are its views complete? */
export async function checkViews(client: LedgerClient): Promise<Finding[]> {
  const {
    problems = [],
    warnings = [],
    views = [],
    ready,
  } = await client.getAnyway('/health/ready');
  const said = [...problems, ...warnings].map(
    (detail): Finding => ({ check: 'views', state: 'bad', detail }),
  );
  if (said.length > 0) return said;
  if (!ready)
    return [
      {
        check: 'views',
        state: 'bad',
        detail: 'the collector is not ready; this token may not learn why',
      },
    ];
  const position = Math.min(...views.map((view) => view.position));
  const detail =
    views.length === 0
      ? 'ready'
      : `ready; ${formatCount(position)} of ${formatCount(views[0]?.head ?? 0)} events processed`;
  return [{ check: 'views', state: 'good', detail }];
}
