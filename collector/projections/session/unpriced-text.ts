/** Stored form of copies that lost their price, in the session's document. */
import { addAmounts, amountFromJson, amountToJson, negated } from '../amount.ts';
import { cellOf, lineOf, type Spending } from './cells.ts';
import { compareText } from './compare-text.ts';
import { noVariant } from './line-name.ts';
import { unpricedKey, unpricedVariant } from './unpriced.ts';

export type BodyUnpriced = readonly [
  provider: string,
  model: string,
  kind: string,
  minute: number,
  said: BodyAmounts,
  rest: BodyAmounts,
];
type BodyAmounts = readonly (number | string)[];

export function encodeUnpriced({ unpriced }: Spending): readonly BodyUnpriced[] {
  return [...unpriced]
    .filter(([, { said }]) => said.some((amount) => amount !== 0))
    .sort(([left], [right]) => compareText(left, right))
    .map(([, { provider, model, kind, minute, said, rest }]) => [
      provider,
      model,
      kind,
      minute,
      said.map(amountToJson),
      rest.map(amountToJson),
    ]);
}

export function decodeUnpriced(
  { unpriced }: Spending,
  [provider, model, kind, minute, said, rest]: BodyUnpriced,
): void {
  const copies = {
    provider,
    model,
    kind,
    minute,
    said: said.map(amountFromJson),
    rest: rest.map(amountFromJson),
  };
  unpriced.set(unpricedKey(copies, minute), copies);
}

/** Up to version 4 of the documents, a family had one line, which counted its copies too. */
export function moveToTheirLines(spending: Spending): void {
  for (const { rest, minute, ...copies } of spending.unpriced.values()) {
    const [from, to] = [noVariant, unpricedVariant].map(
      (variant) => cellOf(spending, lineOf(spending, { ...copies, ...variant }), minute).amounts,
    );
    addAmounts(from ?? [], negated(rest));
    addAmounts(to ?? [], rest);
  }
}
