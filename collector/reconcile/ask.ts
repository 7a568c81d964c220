/**
 * Queries the ledger. Contract: resolves with the JSON of a successful answer, rejects otherwise.
 */
export type AskCollector = (path: string) => Promise<unknown>;
