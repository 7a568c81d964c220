/**
 * Several copies of the extension in one host (an installed one and a checkout, say) share one
 * producer, and each of them is handed each event: one of them must handle it, or runs would have
 * twice their attempts. The first that gets an event handles it; the others say so once and do
 * nothing.
 *
 * A host that evaluates one copy again (pi for a new session, omp for a subagent) makes no second
 * copy of it.
 */
import { sessionOf } from './host/host.ts';

export interface Copies {
  /**
   * `file`: where the copy is; `onLead`: it is the one that does the work, called once, perhaps at
   * once, perhaps when the leading one is gone.
   */
  join(file: string, told: { onLead(): void; onFollow(leader: string): void }): Copy;
}

interface Copy {
  /**
   * False for an event that another copy has handled in this session. Contract: never throws; a
   * fraction of a microsecond.
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
          const key = keyOf(event, ctx);
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

/** Of these hosts make an object for each handler: what all of them share is the context. */
const madeForEachHandler: ReadonlySet<unknown> = new Set([
  'before_agent_start',
  'input',
  'after_provider_response',
]);

function keyOf(event: object, ctx: unknown): object {
  const isShared =
    typeof ctx !== 'object' ||
    ctx === null ||
    !('type' in event) ||
    !madeForEachHandler.has(event.type);
  return isShared ? event : ctx;
}

/**
 * Hosts hand one context to all handlers of an event, and may hand one event to several sessions.
 */
function isSameSession(left: unknown, right: unknown): boolean {
  return left === right || sessionOf(left)?.id === sessionOf(right)?.id;
}
