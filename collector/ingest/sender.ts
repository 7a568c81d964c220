/**
 * Who sends events, and how that is written into them. Pure.
 *
 * An attribution that comes in with a token gets the CloudEvents attribute `authenticateduser`: the
 * user that the token is bound to. Views take it before the user that the event itself names. So no
 * producer may bring the attribute along; the ledger's own records may (a dead letter, a backup).
 */
import type { EventVerdict } from './event-check.ts';

export type Sender =
  /** `user`: whom its token is bound to; null: nobody looked. */
  | { readonly is: 'producer'; readonly user: string | null }
  /** What the ledger itself wrote: it is taken as it stands there. */
  | { readonly is: 'record' }
  /** This process' importers: they have just made these events, by the contract's types. */
  | { readonly is: 'importer' };

export const someProducer: Sender = { is: 'producer', user: null };

/** JSON pointers of what only the ledger itself may say. */
const claimField = '/authenticateduser';
const sealField = '/data/sealId';
const moveField = '/data/role';
export const refusedFields: ReadonlySet<string> = new Set([claimField, sealField, moveField]);

/** Null when the sender may say what it says of itself. */
export function refuseClaim(value: unknown, sender: Sender): EventVerdict | null {
  if (sender.is !== 'producer' || typeof value !== 'object' || value === null) return null;
  const { type } = value as { readonly type?: unknown };
  if (type === 'pi.entry.moved.v1') {
    const message = 'Only the collector says that an entry is another session\u2019s.';
    return { kind: 'rejected', code: 'schema', field: moveField, message };
  }
  if (type === 'pi.history.sealed.v1') {
    return {
      kind: 'rejected',
      code: 'schema',
      field: sealField,
      message: 'Only the collector seals history.',
    };
  }
  if (!Object.hasOwn(value, 'authenticateduser')) return null;
  const message =
    'Only the collector says who is authenticated: an event that brings this along is refused.';
  return { kind: 'rejected', code: 'schema', field: claimField, message };
}

export interface Written<Value> {
  readonly value: Value;
  /** Its JSON. */
  readonly text: string;
}

/**
 * With the sender's user, where it is an attribution, of whatever version, and says nothing of that
 * yet. The text stays what it is otherwise.
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
