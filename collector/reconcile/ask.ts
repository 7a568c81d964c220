/**
 * How the ledger is asked. Contract: resolves with the JSON of a good answer, rejects otherwise.
 */
export type Ask = (path: string) => Promise<unknown>;
