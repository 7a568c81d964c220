/** A place that notices of budgets go to: an address of the settings, and how it is told. */
import { createHash } from 'node:crypto';
import type { BudgetDelivery } from '@pi-ledger/contract/answers';
import type { StoredCrossing } from './notice.ts';
import type { PageOf } from './page-link.ts';

export interface Target {
  /** It names the subscriber, and never changes for one address. */
  readonly name: string;
  /** What may be shown of its address. */
  readonly shown: string;
  readonly format: BudgetDelivery['format'];
  /** What a crossing is worth here; null: it is not told. */
  bodyOf(crossing: StoredCrossing): string | null;
  /** Says that notices arrive. */
  testBody(id: string, at: string): string;
  /** One attempt. Rejects only when `signal` is aborted, soon after. */
  send(message: Message, signal: AbortSignal): Promise<Attempt>;
}

/** Names a place by a hash of its address, which may be a secret. */
export function subscriberName(kind: 'webhook' | 'mail', address: string): string {
  return `${kind}-${createHash('sha256').update(address).digest('hex').slice(0, 12)}`;
}

export interface Message {
  /** It is the delivery's: the same with each attempt, so that a receiver can drop repeats. */
  readonly id: string;
  /** As `bodyOf` or `testBody` wrote it. */
  readonly body: string;
}

/** `refused`: as it is, it will never be taken. `failed`: another attempt may help. */
export interface Attempt {
  readonly is: 'delivered' | 'refused' | 'failed';
  /** `HTTP 503`, without address or secret. */
  readonly detail: string;
  /** What the other side asks for; null: nothing. */
  readonly retryAfterMs: number | null;
}

export interface SendOptions {
  readonly version: string;
  /** From the connection to the answer; each kind of place has a default. */
  readonly timeoutMs?: number;
  readonly pageOf: PageOf | null;
  now(): number;
}
