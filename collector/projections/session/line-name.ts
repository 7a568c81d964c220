/** What a line of a session's spend is of, and the family that it belongs to. Pure. */
import type { Spend } from '@pi-ledger/contract';
import { readCostSource } from '../cost-parts.ts';
import { compareText } from './compare-text.ts';

/** Lines of one provider, model and kind are a family. */
export interface FamilyName {
  readonly provider: string;
  readonly model: string;
  readonly kind: string;
}

export interface Variant {
  readonly thinking: string;
  readonly costSource: string;
  readonly stopReason: string;
}

export interface LineName extends FamilyName, Variant {}

/** Spend of which nothing more is known than its family. */
export const noVariant: Variant = { thinking: '', costSource: '', stopReason: '' };

/** What an answer was asked with and how it ended; both null for other spend. */
export interface AnsweredHow {
  readonly thinkingLevel: string | null;
  readonly stopReason: string | null;
}

export function makeLineName(
  spend: Spend,
  kind: string,
  { thinkingLevel, stopReason }: AnsweredHow = { thinkingLevel: null, stopReason: null },
): LineName {
  return {
    provider: spend.provider ?? '',
    model: spend.model ?? '',
    kind,
    thinking: wordOrEmpty(thinkingLevel),
    costSource: readCostSource(spend),
    stopReason: wordOrEmpty(stopReason),
  };
}

/** Hosts use single words here; a document may hold thousands of them. */
const wordCharsMax = 32;

function wordOrEmpty(text: string | null): string {
  return (text ?? '').slice(0, wordCharsMax);
}

export function compareFamilies(left: FamilyName, right: FamilyName): number {
  return (
    compareText(left.provider, right.provider) ||
    compareText(left.model, right.model) ||
    compareText(left.kind, right.kind)
  );
}

export function compareVariants(left: Variant, right: Variant): number {
  return (
    compareText(left.thinking, right.thinking) ||
    compareText(left.costSource, right.costSource) ||
    compareText(left.stopReason, right.stopReason)
  );
}

export function familyKey({ provider, model, kind }: FamilyName): string {
  return `${provider.length} ${model.length} ${provider}${model}${kind}`;
}

export function variantKey({ thinking, costSource, stopReason }: Variant): string {
  return `${thinking.length} ${costSource.length} ${thinking}${costSource}${stopReason}`;
}
