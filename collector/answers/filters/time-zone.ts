import { openTimeZone, type TimeZone } from '@pi-ledger/core/time/time-zone';
import { LedgerError } from '../../errors.ts';

/** For the parameter `timezone`: throws `bad_parameter` when there is no such zone. */
export function expectTimeZone(name: string): TimeZone {
  const zone = openTimeZone(name);
  if (zone !== null) return zone;
  throw new LedgerError('bad_parameter', {
    field: 'timezone',
    message: 'timezone: must be the name of a time zone, such as Europe/Berlin.',
  });
}
