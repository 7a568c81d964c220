/** What an import cannot know: whether what it added is billed by use or covered by a plan. */

import { dollarText } from '@pi-ledger/contract/amounts';
import type { Terminal } from '../command.ts';
import { ownLine } from '../own-line.ts';
import type { Imported } from './import.ts';

/**
 * Returns null if all is known. Asked once: the next import adds nothing that this one has added.
 */
export function billingQuestion(
  { before, after }: Pick<Imported, 'before' | 'after'>,
  terminal: Pick<Terminal, 'env'>,
): string | null {
  if (before === null || after === null) return null;
  const added = BigInt(after.unknownBillingNanoUsd) - BigInt(before.unknownBillingNanoUsd);
  if (added <= 0n) return null;
  return (
    `${dollarText(added, 2)}: billed by use, or covered by a subscription? Session files do ` +
    `not tell. Say it once: ${ownLine(terminal, 'billing')}`
  );
}
