/** Stored form of copies that lost their price, in the session's document. */
import { amountFromJson, amountToJson } from '../amount.ts';
import type { Spending } from './cells.ts';
import { compareText } from './compare-text.ts';
import { unpricedKey } from './unpriced.ts';

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
