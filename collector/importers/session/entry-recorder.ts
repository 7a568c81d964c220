/**
 * The entries of one session file, one after another, to events: the session's own under its id,
 * those that a fork copied under their owner's (lineage.ts), with what the header and the
 * importer's guess say of the session.
 *
 * Does no I/O but what lineage and guesser do. Repeats are harmless: the log knows an event by its
 * id.
 */
import type { Ownership } from '@pi-ledger/contract';
import type { Contents } from '@pi-ledger/extension/content/contents';
import type { EventDraft } from '@pi-ledger/extension/record/draft';
import {
  type Entry,
  type Header,
  messageOf,
  roleOf,
  timeMsOf,
} from '@pi-ledger/extension/record/entry';
import type { Session, SubagentParent } from '@pi-ledger/extension/record/entry-draft';
import { advance, type PathState, rootState } from '@pi-ledger/extension/record/path-state';
import { recordEntry } from '@pi-ledger/extension/record/record-entry';
import {
  recordSessionCopied,
  recordSessionStarted,
  sessionIdOfParent,
} from '@pi-ledger/extension/record/session';
import { responseKeyOf } from '@pi-ledger/extension/record/subagent';
import type { ImporterName } from '../importer.ts';
import type { GuessedSession, Guesser } from './attribution.ts';
import type { Lineage, Owner } from './lineage.ts';
import { type AwaitedParent, type PlacedSubagent, placedSubagent } from './placed-subagent.ts';
import { createRecentPathStates, type SavedPathState } from './recent-places.ts';

export interface EntryRecorder {
  /** What the header says, and whose session it is. For a file that is read from its start. */
  begin(): readonly EventDraft[];
  /** In file order. */
  take(entry: Entry): RecordedEntry;
  /** What can be said when the last entry is known. */
  end(): readonly EventDraft[];
  readonly standing: ReaderState;
}

type RecordedEntry =
  | {
      readonly kind: 'drafts';
      readonly drafts: readonly EventDraft[];
      /** When the answer was written that the entry hangs below. */
      readonly turnAtMs: number | null;
    }
  /** A copy without its price: the owner's own file is there and says more. */
  | { readonly kind: 'left to its owner' }
  /**
   * A copy without its price, and nobody can say whose: what its owner says of it could not be told
   * from it.
   */
  | { readonly kind: 'left out' }
  /** The file was gone on with, and the entry hangs below one that was read long before. */
  | { readonly kind: 'unknown parent' }
  | { readonly kind: 'nested too deep' };

/** All that is needed to go on behind the last entry that was read. */
export interface ReaderState {
  readonly places: readonly SavedPathState[];
  readonly utcOffsetMinutes: number | null;
  /** An entry of the session's own was read: copies stand in front only. */
  readonly hasOwn: boolean;
  /** What a parent may claim this session's first own answer by. */
  readonly firstAnswer: string | null;
  /** The same of the sessions whose entries were copied. */
  readonly copiedAnswers: readonly CopiedAnswer[];
  /** A subagent's, whose file stands with its parent's. */
  readonly placedParent: SubagentParent | null;
  /** A subagent's, whose parent only a file tells that is not there yet. */
  readonly awaitedParent: AwaitedParent | null;
}

interface CopiedAnswer {
  readonly sessionId: string;
  readonly key: string;
}

/**
 * Who claims the session that this answer is the first one of; the file's own session where the
 * answer is not told.
 */
export interface AnswerClaim {
  readonly firstAnswer: string | null;
  readonly parent: SubagentParent;
}

export interface EntryRecorderOptions {
  readonly path: string;
  readonly header: Header;
  /** False for one that was made up from the file's name. */
  readonly isHeaderRead: boolean;
  readonly importer: ImporterName;
  readonly lineage: Lineage;
  readonly guesser: Guesser;
  /** Null unless texts of summaries are taken in. */
  readonly contents: Contents | null;
  /**
   * The session that it is a subagent of, where that became known from other files after it was
   * read.
   */
  readonly claimedBy: SubagentParent | null;
  readonly isClaimedAnew?: boolean;
  /**
   * Others to whom a claim of the same answers was said to belong: they are told the same, so that
   * nobody counts what counts here.
   */
  readonly alsoClaimedBy?: readonly AnswerClaim[];
  /** Null at the start of the file. */
  readonly standing: ReaderState | null;
}

/** Ancestors in one file. */
const copiedAnswersMax = 100;

export function createEntryRecorder(options: EntryRecorderOptions): EntryRecorder {
  const {
    path,
    header,
    importer,
    lineage,
    guesser,
    claimedBy,
    isClaimedAnew = false,
    alsoClaimedBy = [],
    standing,
  } = options;
  const contentOf = options.contents === null ? null : options.contents.of;
  const placed = placedSubagent(path, header, lineage);
  const places = createRecentPathStates(standing?.places ?? []);
  const own: Session = {
    id: header.id,
    cwd: header.cwd,
    parent: claimedBy ?? placed?.parent ?? null,
    contentOf,
  };
  const guessed = guessedOf(header, importer, placed, claimedBy);
  const guessedLaterMs = isParentToldElsewhere(placed, claimedBy) ? (isClaimedAnew ? 2 : 1) : 0;
  const copies = new Map<string, { owner: Owner; entries: number; spendEntries: number }>();
  /** A fork that was made when the clock had been set back holds copies that look like its own. */
  const isUnsure = header.parentSession !== null && placed === null;
  /** By the session whose entries they are: its first answer. */
  const firstAnswers = new Map<string, string>();
  let { utcOffsetMinutes, hasOwn, firstAnswer } = standing ?? {
    utcOffsetMinutes: null,
    hasOwn: false,
    firstAnswer: null,
  };

  function attribution(timestamp: string, timeMs: number): readonly EventDraft[] {
    if (header.cwd === null) return [];
    const minutes = guesser.utcOffsetMinutes(timeMs);
    if (minutes === utcOffsetMinutes) return [];
    utcOffsetMinutes = minutes;
    return [guesser.attribute(guessed, { timestamp, timeMs: timeMs + guessedLaterMs })];
  }

  /**
   * Null for an entry that is nested too deep for any recursion: what hangs below it hangs below
   * the one above it.
   */
  function recordAt(
    above: PathState,
    session: Session,
    entry: Entry,
  ): readonly EventDraft[] | null {
    try {
      const drafts = recordEntry(session, entry, above);
      places.put(entry.id, advance(above, entry));
      return drafts;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      places.put(entry.id, above);
      return null;
    }
  }

  function takeOwn(entry: Entry, timeMs: number): RecordedEntry {
    const above = entry.parentId === null ? rootState : places.at(entry.parentId);
    if (above === null && standing !== null) return { kind: 'unknown parent' };
    const place = above ?? rootState;
    hasOwn = true;
    const recorded = recordAt(place, own, entry);
    if (recorded === null) return { kind: 'nested too deep' };
    if (firstAnswer === null && roleOf(entry) === 'assistant')
      firstAnswer = responseKeyOf(messageOf(entry));
    const drafts = isUnsure ? markedBy('unsure', recorded) : recorded;
    return {
      kind: 'drafts',
      turnAtMs: place.turnAtMs,
      drafts: [
        ...attribution(entry.timestamp, timeMs),
        ...drafts,
        ...accounts(place, own, entry, firstAnswer),
      ],
    };
  }

  /** What others than the nearest parent have to be told of it. */
  function accounts(
    above: PathState,
    session: Session,
    entry: Entry,
    answer: string | null,
  ): readonly EventDraft[] {
    return alsoClaimedBy
      .filter((claim) =>
        claim.firstAnswer === null ? session === own : claim.firstAnswer === answer,
      )
      .filter(
        ({ parent }) =>
          parent.sessionId !== session.id && parent.sessionId !== session.parent?.sessionId,
      )
      .flatMap(({ parent }) =>
        recordEntry({ ...session, parent }, entry, above).filter(
          ({ type }) => type === 'pi.subagent.accounted.v1',
        ),
      );
  }

  function takeCopy(entry: Entry, timeMs: number): RecordedEntry {
    // Branching drops entries from a path (labels); what hung below one of them follows the entry
    // in front of it.
    const above = entry.parentId === null ? rootState : (places.at(entry.parentId) ?? places.last);
    const owner = ownerOf(entry, timeMs);
    const session: Session = { id: owner.sessionId, cwd: owner.cwd, contentOf };
    const recorded = recordAt(above, session, entry);
    if (recorded === null) return { kind: 'nested too deep' };
    noteAnswer(owner, entry);
    if (owner.sessionId !== header.id) count(owner, recorded.some(hasSpend));
    const kind = recorded.some(isWithoutPrice) ? unpricedKind(owner, importer) : 'drafts';
    if (kind !== 'drafts') return { kind };
    const drafts = markedBy(owner.isAssumed ? 'assumed' : 'named', recorded);
    return {
      kind,
      turnAtMs: above.turnAtMs,
      drafts: [
        ...drafts,
        ...accounts(above, session, entry, firstAnswers.get(owner.sessionId) ?? null),
      ],
    };
  }

  /** No answer comes in the millisecond in which its session begins. */
  function ownerOf(entry: Entry, timeMs: number): Owner {
    return lineage.ownerOf(header, path, isAnswer(entry) ? timeMs - 1 : timeMs);
  }

  function isOlder(entry: Entry, timeMs: number): boolean {
    return timeMs < header.timeMs || (timeMs === header.timeMs && isUnsure && isAnswer(entry));
  }

  function noteAnswer({ sessionId }: Owner, entry: Entry): void {
    if (roleOf(entry) === 'assistant' && !firstAnswers.has(sessionId))
      firstAnswers.set(sessionId, responseKeyOf(messageOf(entry)));
  }

  function count(owner: Owner, spends: boolean): void {
    const key = `${owner.isAssumed} ${owner.sessionId}`;
    const counted = copies.get(key) ?? { owner, entries: 0, spendEntries: 0 };
    counted.entries += 1;
    if (spends) counted.spendEntries += 1;
    copies.set(key, counted);
  }

  return {
    begin() {
      const started = options.isHeaderRead ? [recordSessionStarted(header)] : [];
      return [...started, ...attribution(header.timestamp, header.timeMs)];
    },
    take(entry) {
      const timeMs = timeMsOf(entry.timestamp) ?? 0;
      return !hasOwn && isOlder(entry, timeMs) ? takeCopy(entry, timeMs) : takeOwn(entry, timeMs);
    },
    end() {
      const copied = [...copies.values()].map(({ owner, entries, spendEntries }) =>
        recordSessionCopied(
          header,
          { sessionId: owner.sessionId, assumed: owner.isAssumed },
          { entries, spendEntries },
        ),
      );
      // Whose it was, as far as a copy can tell: the owner's own file may be gone.
      const owners = header.cwd === null ? [] : new Set(copied.map(({ subject }) => subject));
      return [...copied, ...[...owners].map((owner) => guesser.infer(owner, guessed))];
    },
    get standing() {
      const awaitedParent = claimedBy === null ? (placed?.awaitedParent ?? null) : null;
      const copiedAnswers = [
        ...(standing?.copiedAnswers ?? []),
        ...[...firstAnswers].map(([sessionId, key]) => ({ sessionId, key })),
      ];
      return {
        places: places.newest(),
        utcOffsetMinutes,
        hasOwn,
        firstAnswer,
        copiedAnswers: copiedAnswers.slice(0, copiedAnswersMax),
        placedParent: placed?.parent ?? null,
        awaitedParent,
      };
    },
  };
}

function unpricedKind(
  { isFileThere, isTooYoung }: Owner,
  importer: ImporterName,
): 'left to its owner' | 'left out' | 'drafts' {
  if (isFileThere) return 'left to its owner';
  return isTooYoung && importer === 'omp' ? 'left out' : 'drafts';
}

function markedBy(ownership: Ownership, drafts: readonly EventDraft[]): readonly EventDraft[] {
  return drafts.map((draft) => ({ ...draft, ownership }));
}

export function hasSpend({ data }: EventDraft): boolean {
  return 'spend' in data && data.spend !== null;
}

/** What a model or a tool took its time for. */
function isAnswer(entry: Entry): boolean {
  const role = roleOf(entry);
  return role === 'assistant' || role === 'toolResult';
}

function guessedOf(
  header: Header,
  importer: ImporterName,
  placed: PlacedSubagent | null,
  claimedBy: SubagentParent | null,
): GuessedSession {
  const parentSessionId =
    sessionIdOfParent(header.parentSession) ??
    placed?.parent?.sessionId ??
    claimedBy?.sessionId ??
    null;
  const kind = placed === null && claimedBy === null ? 'main' : 'subagent';
  return { header, importer, parentSessionId, agent: { kind, name: placed?.name ?? null } };
}

/**
 * Then the session may have been read without knowing its parent: the better guess stands just
 * behind that of then.
 */
function isParentToldElsewhere(
  placed: PlacedSubagent | null,
  claimedBy: SubagentParent | null,
): boolean {
  return (
    claimedBy !== null || (placed !== null && placed.parent !== null && !placed.isParentInPath)
  );
}

/**
 * omp's `/tan` takes the price out of what it copies, which makes another event of it: where its
 * owner may have told of it under a session that nobody names, both would count.
 */
function isWithoutPrice({ data }: EventDraft): boolean {
  return (
    'spend' in data &&
    data.spend !== null &&
    data.spend.reported &&
    data.spend.costSource === 'unpriced'
  );
}
