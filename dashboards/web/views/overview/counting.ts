/** Whether sums still grow: an import runs, or views lack events. */
import { standing } from '../../app/asks.ts';
import type { Amount } from '../../format/amount.ts';
import { useAnswer } from '../../state/page.ts';

export function useIsCounting(): boolean {
  const { answer } = useAnswer(standing);
  return answer !== null && (answer.importing !== null || answer.views.some((v) => v.isBehind));
}

/** `…` stands for the other marks while sums grow. */
export function counted(amount: Amount, isCounting: boolean): Amount {
  return isCounting && amount.nanoUsd !== null ? { ...amount, mark: 'counting' } : amount;
}
