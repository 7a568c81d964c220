import { compareText } from './compare-text.ts';

/** Identifies a line of spend. */
export interface LineName {
  readonly provider: string;
  readonly model: string;
  readonly kind: string;
}

export function compareLines(left: LineName, right: LineName): number {
  return (
    compareText(left.provider, right.provider) ||
    compareText(left.model, right.model) ||
    compareText(left.kind, right.kind)
  );
}

export function keyOf({ provider, model, kind }: LineName): string {
  return `${provider.length} ${model.length} ${provider}${model}${kind}`;
}
