/** Safe calls into a host, whose getters and methods throw once a session is over. */
import type { JsonObject } from '../../core/record/fields.ts';

/** What `called` returns when the host threw; every reader treats it as unknown. */
export const failed = Symbol('the host threw');

export function called(target: JsonObject | null, method: string, ...args: unknown[]): unknown {
  try {
    const member = target?.[method];
    return typeof member === 'function' ? Reflect.apply(member, target, args) : null;
  } catch {
    return failed; // the session is over; every reader treats this as unknown
  }
}

export function guarded<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null; // the session is over
  }
}
