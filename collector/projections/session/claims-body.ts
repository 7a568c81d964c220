/** The stored form of claims, as JSON (claims-text.ts). */

export type Amounts = readonly (number | string)[];
export type BodyClaim = readonly [atMs: number, model: number, ...amounts: Amounts];
/** By tool result, so that its claims share its id. */
export type BodyResult = readonly [result: string, ...claims: BodyClaim[]];

/** `sinceMs`: after the one before. The responses are those of it that nothing claims. */
export type BodyAccount = readonly [sinceMs: number, responses: string, ...amounts: Amounts];

export type BodyModel = readonly [provider: string, model: string, costSource?: string];

export interface ClaimsBody {
  readonly pooled: boolean;
  /** The claims name these; older documents say no cost source. */
  readonly models: readonly BodyModel[];
  readonly pool: BodyGroup;
  /** Documents before version 7 have these; their accounts name no subagent. */
  readonly keys?: readonly (readonly [key: string, ...group: BodyGroup])[];
  readonly groups?: readonly (readonly [key: string, ...results: BodyResult[]])[];
  /** Documents of versions 7 and 8 have these; their accounts tell no time. */
  readonly children?: readonly (readonly [
    child: string,
    ...accounts: (readonly [key: string, ...amounts: Amounts])[],
  ])[];
  /** What each subagent accounted for, by key and time. */
  readonly accounts?: readonly (readonly [
    child: string,
    ...byKey: (readonly [key: string, ...BodyAccount[]])[],
  ])[];
  readonly names?: readonly (readonly [child: string, ...refs: string[]])[];
  readonly results?: readonly (readonly [result: string, ...refs: string[]])[];
  /** Response keys, concatenated. */
  readonly covered: string;
  /**
   * Those that are in no account, by a key that is null; in older documents also others, before
   * version 7 without a subagent.
   */
  readonly accounted: readonly (readonly [key: string | null, responses: string, child?: string])[];
  readonly claimed: readonly (readonly [
    atMs: number,
    model: number,
    ...answers: (readonly [response: string, ...amounts: Amounts])[],
  ])[];
}

export type BodyGroup = readonly [accounted: Amounts, ...claims: BodyClaim[]];
