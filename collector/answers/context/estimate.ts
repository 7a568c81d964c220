/**
 * Converts characters to tokens as the hosts do: a quarter of a message's characters, rounded up,
 * and a constant per image (docs/context.md). Attempts without reported usage weigh nothing: hosts
 * do not send them again.
 */
import type { EntryFact } from '../../projections/context/facts.ts';

export const charsPerToken = 4;
/** pi counts an image as 4,800 characters, omp as 1,200 tokens, which is the same. */
const imageTokens = 1_200;

export function estimatedTokens(fact: EntryFact): number {
  if (!fillsContext(fact)) return 0;
  const [textChars, thinkingChars, toolCallChars, otherChars, images] = fact.sizes;
  return (
    tokensOfChars(textChars + thinkingChars + toolCallChars + otherChars) + images * imageTokens
  );
}

export function tokensOfChars(chars: number): number {
  return Math.ceil(chars / charsPerToken);
}

/** In characters, as hosts compare images with text. */
export function imageChars(images: number): number {
  return images * imageTokens * charsPerToken;
}

export function fillsContext(fact: EntryFact): boolean {
  return !fillsNothing.has(fact.kind) && (fact.kind !== 'turn' || fact.reported);
}

/** An edit's content replaces another entry's: see window-content.ts. */
const fillsNothing: ReadonlySet<EntryFact['kind']> = new Set(['model', 'usage', 'edit']);
