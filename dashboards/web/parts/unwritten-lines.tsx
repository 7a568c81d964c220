/** Unreported records that are no attempts, a line each. */
import type { UsageFigures } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { unwrittenWords } from '../format/unreported.ts';

export function UnwrittenLines({ of }: { of: readonly UsageFigures[] }): JSX.Element {
  return (
    <>
      {unwrittenWords(of).map((words) => (
        <p key={words}>{words}</p>
      ))}
    </>
  );
}
