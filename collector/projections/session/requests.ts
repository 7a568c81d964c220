/** Requests by packages, which no entry of a session explains. Pure. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { unwrittenMeasures } from '../usage.ts';
import { toMinute } from './calendar.ts';
import { noVariant } from './line-name.ts';
import type { Counting } from './regroup.ts';
import { addMeasures } from './spending.ts';

/** Which model was asked is not known. */
export function addRequests(
  counting: Counting,
  { time, data }: LedgerEvent<'pi.requests.observed.v1'>,
): void {
  const { provider, unexplained, explainedLater } = data;
  const name = { ...noVariant, provider: provider ?? '', model: '', kind: 'package_request' };
  const measures = unwrittenMeasures('packageRequests', unexplained - explainedLater);
  addMeasures(counting, name, toMinute(time), measures);
}
