/** What an import says of events that are older than the seal. */

import type { Late } from '../../log/history.ts';
import { countOf } from './counts.ts';

/** `expired`: how many events the ledger left out; `late`: what of them is in no total. */
export function lateLines(expired: number, late: Late | null): string[] {
  const all = countOf(expired, 'event is', 'events are');
  if (late === null)
    return [
      `${all} older than the seal and left out: only a token that may read says whether the ` +
        'totals have them.',
    ];
  if (late.events === 0) return [`${all} older than the seal: the totals have them already.`];
  const events = `${countOf(late.events, 'event')} of ${countOf(late.sessions, 'session')}`;
  return [
    `${events} ${late.events === 1 ? 'is' : 'are'} older than the seal and in no total. Restore ` +
      'the backup from before `pi-ledger seal`, import and seal again; or import into a ledger ' +
      'of its own (another PI_LEDGER_HOME).',
  ];
}
