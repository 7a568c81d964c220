/**
 * Several copies of the extension in one host (one installed, one from a checkout) share one
 * producer, and each receives every event. Only one may handle an event, or runs would count twice
 * the attempts. The first copy to receive an event handles it; the others report themselves once
 * and do nothing.
 *
 * A host that evaluates one copy again (pi for a new session, omp for a subagent) does not create a
 * second copy.
 */
import { readSession } from './session.ts';

export interface Copies {
  /**
   * `file`: where the copy is. `onLead` is called once, when this copy does the work: immediately,
   * or when the leading copy is gone.
   */
  join(file: string, told: { onLead(): void; onFollow(leader: string): void }): Copy;
}

interface Copy {
  /**
   * False for an event that another copy has already handled in this session. Contract: never
   * throws; takes a fraction of a microsecond.
   */
  takes(event: unknown, ctx: unknown): boolean;
}

export function createCopies(): Copies {
  const handled = new WeakMap<object, { readonly by: Copy; readonly ctx: unknown }>();
  let leader: string | null = null;
  let joined = 0;

  return {
    join(file, { onLead, onFollow }) {
      let role: 'lead' | 'follow' | null = null;
      const lead = () => {
        leader = file;
        role = 'lead';
        onLead();
      };
      const follow = () => {
        role = 'follow';
        onFollow(leader ?? file);
      };
      const copy: Copy = {
        takes(event, ctx) {
          if (joined === 1 || typeof event !== 'object' || event === null) return true;
          const key = eventKey(event, ctx);
          const earlier = handled.get(key);
          if (earlier !== undefined && earlier.by !== copy && isSameSession(earlier.ctx, ctx)) {
            if (role === null) follow();
            return false;
          }
          if (role !== 'lead') lead();
          handled.set(key, { by: copy, ctx });
          return true;
        },
      };
      joined += 1;
      if (leader === null || leader === file) lead();
      return copy;
    },
  };
}

/**
 * Hosts create a new object of these events for each handler. What all handlers share is the
 * context.
 */
const madeForEachHandler: ReadonlySet<unknown> = new Set([
  'before_agent_start',
  'input',
  'after_provider_response',
]);

function eventKey(event: object, ctx: unknown): object {
  const isShared =
    typeof ctx !== 'object' ||
    ctx === null ||
    !('type' in event) ||
    !madeForEachHandler.has(event.type);
  return isShared ? event : ctx;
}

/**
 * Hosts pass one context to all handlers of an event, and may pass one event to several sessions.
 */
function isSameSession(left: unknown, right: unknown): boolean {
  return left === right || readSession(left)?.id === readSession(right)?.id;
}
