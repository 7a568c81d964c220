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
  /** Positions would say how much others record: theirs are counts of the lines they were told. */
  readonly isLimited: boolean;
  /** Resolves to what changed for the caller, and to null where they may see none of it. */
  changes(from: number, to: number): Promise<Pick<LiveLine, 'sessions' | 'more'> | null>;
  /** False: their token no longer holds. */
  isAllowed(): Promise<boolean>;
}

interface Heard {
  /** They have been told a first line. */
  readonly isGreeted: boolean;
  /** It is null when they have heard of no position. */
  readonly upTo: number | null;
  /** Lines about changes. */
  readonly lines: number;
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
  let isTelling = false;
  let toldAtMs = Number.NEGATIVE_INFINITY;

  function hear(committed: number): void {
    if (position !== null && committed <= position) return;
    position = committed;
    schedule();
  }

  function schedule(): void {
    if (telling !== null || isTelling) return;
    const waitMs = Math.max(0, toldAtMs + tellEveryMs - performance.now());
    telling = setTimeout(() => {
      telling = null;
      toldAtMs = performance.now();
      void tellAll();
    }, waitMs);
    telling.unref();
  }

  /** One at a time; what came meanwhile is told after it. */
  async function tellAll(): Promise<void> {
    isTelling = true;
    const to = position;
    for (const [member, heard] of members) await tell(member, heard).catch(onError);
    isTelling = false;
    if (members.size > 0 && (position !== to || hasNewcomer())) schedule();
  }

  function hasNewcomer(): boolean {
    return position !== null && [...members.values()].some(({ isGreeted }) => !isGreeted);
  }

  async function tell(member: LiveMember, heard: Heard): Promise<void> {
    const { isGreeted, upTo } = heard;
    const to = position;
    if (to === null || (isGreeted && to === upTo) || !members.has(member)) return;
    // A position that fell is another log than before: they have to look at everything.
    const isKnown = upTo !== null && upTo < to;
    const changes = isKnown ? await changesOf(member, upTo, to) : {};
    const isTold = changes !== null || !isGreeted;
    const next = { isGreeted: true, upTo: to, lines: heard.lines + Number(isTold) };
    if (!members.has(member)) return;
    members.set(member, next);
    if (isTold) member.reader.tell({ position: positionFor(member, next, to), ...changes });
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
      else {
        const heard = members.get(member);
        if (heard?.isGreeted && heard.upTo !== null)
          member.reader.tell({ position: positionFor(member, heard, heard.upTo) });
      }
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
      members.set(member, { isGreeted: false, upTo: member.isLimited ? null : after, lines: 0 });
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

function positionFor({ isLimited }: LiveMember, { lines }: Heard, position: number): number {
  return isLimited ? lines : position;
}
