/**
 * Tells all readers what the views have committed: at most every `tellEveryMs`, and that nothing
 * happened every `beatEveryMs`. It follows the views only while somebody reads.
 */
import type { LiveLine } from '@pi-ledger/contract/answers';
import type { LiveReader } from './reader.ts';

const tellEveryMs = 500;
const beatEveryMs = 15_000;

export interface LiveHubOptions {
  /** Calls it with rising positions, soon with the first one. Returns what ends that. */
  follow(listener: (position: number) => void): () => void;
  onError(error: unknown): void;
}

/** Who reads, and what they may see. */
export interface LiveMember {
  readonly reader: LiveReader;
  /** Of the caller: what changed, and null where they may see none of it. */
  changes(from: number, to: number): Promise<Pick<LiveLine, 'sessions' | 'more'> | null>;
  /** False: their token no longer holds. */
  isAllowed(): Promise<boolean>;
}

interface Heard {
  /** They have been told a first line. */
  readonly isGreeted: boolean;
  /** Null: of no position. */
  readonly upTo: number | null;
}

export interface LiveHub {
  /** `after`: they have heard up to there; null: nothing. */
  join(member: LiveMember, after: number | null): void;
  size(): number;
  /** Ends every stream. */
  close(): void;
}

export function createLiveHub({ follow, onError }: LiveHubOptions): LiveHub {
  const members = new Map<LiveMember, Heard>();
  let position: number | null = null;
  let unfollow: (() => void) | null = null;
  let telling: NodeJS.Timeout | null = null;
  let beating: NodeJS.Timeout | null = null;
  let toldAtMs = Number.NEGATIVE_INFINITY;

  function hear(committed: number): void {
    if (position !== null && committed <= position) return;
    position = committed;
    schedule();
  }

  function schedule(): void {
    if (telling !== null) return;
    const waitMs = Math.max(0, toldAtMs + tellEveryMs - performance.now());
    telling = setTimeout(() => {
      telling = null;
      toldAtMs = performance.now();
      tellAll().catch(onError);
    }, waitMs);
    telling.unref();
  }

  async function tellAll(): Promise<void> {
    for (const [member, heard] of members) await tell(member, heard);
  }

  async function tell(member: LiveMember, { isGreeted, upTo }: Heard): Promise<void> {
    const to = position;
    if (to === null || (isGreeted && to === upTo) || !members.has(member)) return;
    members.set(member, { isGreeted: true, upTo: to });
    // A position that fell is another log than before: they have to look at everything.
    const isKnown = upTo !== null && upTo < to;
    const changes = isKnown ? await changesOf(member, upTo, to) : {};
    if (changes !== null || !isGreeted) member.reader.tell({ position: to, ...changes });
  }

  /** Where the store fails, there may be anything. */
  async function changesOf({ changes }: LiveMember, from: number, to: number) {
    return changes(from, to).catch((error: unknown) => {
      onError(error);
      return { sessions: [], more: true };
    });
  }

  async function beat(): Promise<void> {
    for (const member of [...members.keys()]) {
      if (!(await member.isAllowed().catch(() => true))) member.reader.end();
      else if (position !== null) member.reader.tell({ position });
    }
  }

  function begin(): void {
    unfollow = follow(hear);
    beating = setInterval(() => void beat().catch(onError), beatEveryMs);
    beating.unref();
  }

  function leave(member: LiveMember): void {
    members.delete(member);
    if (members.size > 0) return;
    unfollow?.();
    unfollow = null;
    clearInterval(beating ?? undefined);
    clearTimeout(telling ?? undefined);
    telling = null;
  }

  return {
    join(member, after) {
      members.set(member, { isGreeted: false, upTo: after });
      member.reader.stream.once('close', () => leave(member));
      if (unfollow === null) begin();
      schedule();
    },
    size: () => members.size,
    close() {
      for (const { reader } of members.keys()) reader.end();
    },
  };
}
