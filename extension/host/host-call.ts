/** Calls into a host, whose getters and methods throw once a session is over. */
import type { JsonObject } from '../record/fields.ts';

/** What `called` gives where the host threw: every reader takes it for "not known". */
export const failed = Symbol('the host threw');

export function called(target: JsonObject | null, method: string, ...args: unknown[]): unknown {
  try {
    const member = target?.[method];
    return typeof member === 'function' ? Reflect.apply(member, target, args) : null;
  } catch {
    return failed; // a session that is over: every reader takes this for "not known"
  }
}

export function guarded<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null; // a session that is over
  }
}
