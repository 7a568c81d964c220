/**
 * Who sends events, and how that is recorded in them. Pure.
 *
 * An event that arrives with a token gets the CloudEvents attribute `authenticatedtoken`, the
 * token's id, so that what a token sent can be withdrawn; an attribution gets `authenticateduser`,
 * too: the user that the token is bound to. Views prefer it to the user that the event itself
 * names. So a producer may not send these; the ledger's own records may (a dead letter, a backup).
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { isOfLedger } from '../log/withdrawals.ts';
import type { EventVerdict } from './event-check.ts';

export type Sender =
  /** `user`, `token`: whose token it is, and its id; null: not authenticated. */
  | { readonly is: 'producer'; readonly user: string | null; readonly token: string | null }
  /** What the ledger itself wrote: taken as it is. */
  | { readonly is: 'record' }
  /**
   * What a caller without a token says that a ledger wrote: not that it came with a token, and
   * nothing that the ledger says of itself.
   */
  | { readonly is: 'copy' }
  /** This process' importers, which have just made the events with the contract's types. */
  | { readonly is: 'importer' };

export const someProducer: Sender = { is: 'producer', user: null, token: null };

/** JSON pointers of fields that only the ledger itself may set. */
const claimFields = ['authenticateduser', 'authenticatedtoken'] as const;
const claimNames = {
  authenticateduser: 'authenticated user',
  authenticatedtoken: 'token',
} as const;
const sealField = '/data/sealId';
const moveField = '/data/role';
const labelField = '/data/records';
const budgetField = '/data/budget';
export const refusedFields: ReadonlySet<string> = new Set([
  ...claimFields.map((name) => `/${name}`),
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
  ['pi.records.withdrawn.v1', [labelField, 'Only the collector withdraws events.']],
  ['pi.budget.defined.v1', [budgetField, 'Only the collector says what a budget is.']],
  ['pi.budget.crossed.v1', [budgetField, 'Only the collector says how a budget stands.']],
]);

/** Returns null when the sender may send the value. */
export function refuseClaim(value: unknown, sender: Sender): EventVerdict | null {
  if (typeof value !== 'object' || value === null) return null;
  const type = (value as { readonly type?: unknown }).type as LedgerEvent['type'];
  if (sender.is === 'copy')
    return (
      (isOfLedger({ type }) ? refuseOwn(type) : null) ??
      refuseAny(value, ['authenticatedtoken'], ofCopies)
    );
  if (sender.is !== 'producer') return null;
  return (
    refuseOwn(type) ?? refuseAny(value, claimFields, 'an event that has one already is rejected.')
  );
}

function refuseOwn(type: unknown): EventVerdict | null {
  const [field, message] = ownTypes.get(type) ?? [];
  if (field === undefined || message === undefined) return null;
  return { kind: 'rejected', code: 'schema', field, message };
}

const ofCopies = 'an event that has one is taken from a caller with a token of the scope admin.';

function refuseAny(
  value: object,
  claims: readonly (typeof claimFields)[number][],
  why: string,
): EventVerdict | null {
  const claim = claims.find((name) => Object.hasOwn(value, name));
  if (claim === undefined) return null;
  const message = `Only the collector sets the ${claimNames[claim]}: ${why}`;
  return { kind: 'rejected', code: 'schema', field: `/${claim}`, message };
}

export interface Written<Value> {
  readonly value: Value;
  /** Its JSON. */
  readonly text: string;
}

/**
 * Adds the sender's token to an event, and its user to an attribution of any version, where none is
 * named yet. The rest of the text does not change.
 */
export function attest<Value>(written: Written<Value>, sender: Sender): Written<Value> {
  if (sender.is !== 'producer') return written;
  const { user, token } = sender;
  const withToken = token === null ? written : add(written, 'authenticatedtoken', token);
  if (user === null || !isAttribution(written.value)) return withToken;
  return add(withToken, 'authenticateduser', user);
}

function add<Value>(
  { value, text }: Written<Value>,
  name: (typeof claimFields)[number],
  claim: string,
): Written<Value> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value, text };
  if (Object.hasOwn(value, name)) return { value, text };
  return {
    value: { [name]: claim, ...value },
    text: text.replace('{', () => `{"${name}":${JSON.stringify(claim)},`),
  };
}

function isAttribution(value: unknown): boolean {
  const { type } = (value ?? {}) as { readonly type?: unknown };
  return typeof type === 'string' && type.startsWith('pi.session.attributed.');
}
