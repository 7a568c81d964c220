/** The period before: it is compared with only where the ledger had begun by its first day. */
import type { Usage } from '@pi-ledger/contract/answers';
import type { Ask } from '../../api/ask.ts';
import { useAnswer } from '../../state/page.ts';
import type { Place } from '../../state/place.ts';
import { ledgerStartAsk } from './asks.ts';

/** `nothing`: the ledger began later, so that no change is known; null: not answered yet. */
export type Before = Pick<Usage, 'rows' | 'total' | 'next'> | 'nothing' | null;

/** `since`: the first day of what is asked. */
export function useBefore(place: Place, asked: Ask<Usage>, since: string): Before {
  const hasBegun = useHasBegun(place, since);
  const { answer } = useAnswer(asked);
  if (hasBegun === null) return null;
  return hasBegun ? answer : 'nothing';
}

/** Whether the ledger has something of that day or of one before it; null: not answered yet. */
export function useHasBegun(place: Place, day: string): boolean | null {
  const { answer } = useAnswer(ledgerStartAsk(place));
  return answer && hasBegun(answer, day);
}

/** `start`: the first day that the ledger has. */
export function hasBegun({ rows }: Pick<Usage, 'rows'>, day: string): boolean {
  const first = rows[0]?.day;
  return typeof first === 'string' && first <= day;
}
