/**
 * Who sends events, and how that is recorded in them. Pure.
 *
 * An attribution that arrives with a token gets the CloudEvents attribute `authenticateduser`: the
 * user that the token is bound to. Views prefer it to the user that the event itself names. So a
 * producer may not send the attribute; the ledger's own records may (a dead letter, a backup).
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { EventVerdict } from './event-check.ts';

export type Sender =
  /** `user`: of its token; null: not authenticated. */
  | { readonly is: 'producer'; readonly user: string | null }
  /** What the ledger itself wrote: taken as it is. */
  | { readonly is: 'record' }
  /** This process' importers, which have just made the events with the contract's types. */
  | { readonly is: 'importer' };

export const someProducer: Sender = { is: 'producer', user: null };

/** JSON pointers of fields that only the ledger itself may set. */
const claimField = '/authenticateduser';
const sealField = '/data/sealId';
const moveField = '/data/role';
const labelField = '/data/records';
const budgetField = '/data/budget';
export const refusedFields: ReadonlySet<string> = new Set([
  claimField,
  sealField,
  moveField,
  labelField,
  budgetField,
]);

/** Event types that only the ledger itself writes: the field that says so, and what to say. */
const ownTypes: ReadonlyMap<unknown, readonly [field: string, message: string]> = new Map<
  LedgerEvent['type'],
  readonly [field: string, message: string]
>([
  ['pi.entry.moved.v1', [moveField, 'Only the collector moves an entry to another session.']],
  ['pi.history.sealed.v1', [sealField, 'Only the collector seals history.']],
  ['pi.records.labelled.v1', [labelField, 'Only the collector labels records after the fact.']],
  ['pi.budget.defined.v1', [budgetField, 'Only the collector says what a budget is.']],
  ['pi.budget.crossed.v1', [budgetField, 'Only the collector says how a budget stands.']],
]);

/** Null when the sender may send the value. */
export function refuseClaim(value: unknown, sender: Sender): EventVerdict | null {
  if (sender.is !== 'producer' || typeof value !== 'object' || value === null) return null;
  const { type } = value as { readonly type?: unknown };
  const [field, words] = ownTypes.get(type) ?? [];
  if (field !== undefined && words !== undefined)
    return { kind: 'rejected', code: 'schema', field, message: words };
  if (!Object.hasOwn(value, 'authenticateduser')) return null;
  const message =
    'Only the collector sets the authenticated user: an event that has one already is rejected.';
  return { kind: 'rejected', code: 'schema', field: claimField, message };
}

export interface Written<Value> {
  readonly value: Value;
  /** Its JSON. */
  readonly text: string;
}

/**
 * Adds the sender's user to an attribution of any version that names none yet. The rest of the text
 * does not change.
 */
export function attest<Value>({ value, text }: Written<Value>, sender: Sender): Written<Value> {
  if (sender.is !== 'producer' || sender.user === null || !isAttribution(value))
    return { value, text };
  const authenticateduser = sender.user;
  return {
    value: { authenticateduser, ...value },
    text: text.replace('{', () => `{"authenticateduser":${JSON.stringify(authenticateduser)},`),
  };
}

function isAttribution(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, 'authenticateduser'))
    return false;
  const { type } = value as { readonly type?: unknown };
  return typeof type === 'string' && type.startsWith('pi.session.attributed.');
}
