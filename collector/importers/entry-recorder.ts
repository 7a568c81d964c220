/**
 * The entries of one session file, one after another, to events: the session's own under its id, those that a fork copied under their
 * owner's (lineage.ts), with what the header and the importer's guess say of the session.
 *
 * Does no I/O but what lineage and guesser do. Repeats are harmless: the log knows an event by its id.
 */
import type { Contents } from '@pi-ledger/extension/content/contents';
import type { EventDraft } from '@pi-ledger/extension/record/draft';
import { type Entry, type Header, messageOf, roleOf, timeMsOf } from '@pi-ledger/extension/record/entry';
import type { Session, SubagentParent } from '@pi-ledger/extension/record/entry-draft';
import { asObject } from '@pi-ledger/extension/record/fields';
import { advance, type Place, rootPlace } from '@pi-ledger/extension/record/place';
import { recordEntry } from '@pi-ledger/extension/record/record-entry';
import { recordSessionCopied, recordSessionStarted, sessionIdOfParent } from '@pi-ledger/extension/record/session';
import { responseKeyOf } from '@pi-ledger/extension/record/subagent';
import type { GuessedSession, Guesser } from './attribution.ts';
import type { ImporterName } from './importer.ts';
import type { Lineage, Owner } from './lineage.ts';
import { type AwaitedParent, type PlacedSubagent, placedSubagent } from './placed-subagent.ts';
import { createRecentPlaces, type SavedPlace } from './recent-places.ts';

export interface EntryRecorder {
  /** What the header says, and whose session it is. For a file that is read from its start. */
  begin(): readonly EventDraft[];
  /** In file order. */
  take(entry: Entry): Taken;
  /** What can be said when the last entry is known. */
  end(): readonly EventDraft[];
  readonly standing: Standing;
}

type Taken =
  | { readonly kind: 'drafts'; readonly drafts: readonly EventDraft[] }
  /** A copy that says less than the owner's own entry. */
  | { readonly kind: 'left to its owner' }
  /** The file was gone on with, and the entry hangs below one that was read long before. */
  | { readonly kind: 'unknown parent' }
  | { readonly kind: 'nested too deep' };

/** All that is needed to go on behind the last entry that was read. */
export interface Standing {
  readonly places: readonly SavedPlace[];
  readonly utcOffsetMinutes: number | null;
  /** An entry of the session's own was read: copies stand in front only. */
  readonly hasOwn: boolean;
  /** What a parent may claim this session's first own answer by. */
  readonly firstAnswer: string | null;
  /** A subagent's, whose parent only a file tells that is not there yet. */
  readonly awaitedParent: AwaitedParent | null;
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
  /** The session that it is a subagent of, where that became known from other files after it was read. */
  readonly claimedBy: SubagentParent | null;
  readonly isClaimedAnew?: boolean;
  /** Null at the start of the file. */
  readonly standing: Standing | null;
}

export function createEntryRecorder(options: EntryRecorderOptions): EntryRecorder {
  const { path, header, importer, lineage, guesser, claimedBy, isClaimedAnew = false, standing } = options;
  const contentOf = options.contents === null ? null : options.contents.of;
  const placed = placedSubagent(path, header, lineage);
  const places = createRecentPlaces(standing?.places ?? []);
  const own: Session = { id: header.id, cwd: header.cwd, parent: claimedBy ?? placed?.parent ?? null, contentOf };
  const guessed: GuessedSession = {
    header,
    importer,
    parentSessionId: sessionIdOfParent(header.parentSession) ?? placed?.parent?.sessionId ?? claimedBy?.sessionId ?? null,
    agent: { kind: placed === null && claimedBy === null ? 'main' : 'subagent', name: placed?.name ?? null },
  };
  const guessedLaterMs = isParentToldElsewhere(placed, claimedBy) ? (isClaimedAnew ? 2 : 1) : 0;
  const copies = new Map<string, { owner: Owner; entries: number; spendEntries: number }>();
  let { utcOffsetMinutes, hasOwn, firstAnswer } = standing ?? { utcOffsetMinutes: null, hasOwn: false, firstAnswer: null };

  function attribution(timestamp: string, timeMs: number): readonly EventDraft[] {
    if (header.cwd === null) return [];
    const minutes = guesser.utcOffsetMinutes(timeMs);
    if (minutes === utcOffsetMinutes) return [];
    utcOffsetMinutes = minutes;
    return [guesser.attribute(guessed, { timestamp, timeMs: timeMs + guessedLaterMs })];
  }

  /** Null for an entry that is nested too deep for any recursion: what hangs below it hangs below the one above it. */
  function recordAt(above: Place, session: Session, entry: Entry): readonly EventDraft[] | null {
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

  function takeOwn(entry: Entry, timeMs: number): Taken {
    const above = entry.parentId === null ? rootPlace : places.at(entry.parentId);
    if (above === null && standing !== null) return { kind: 'unknown parent' };
    const place = above ?? rootPlace;
    hasOwn = true;
    const recorded = recordAt(place, own, entry);
    if (recorded === null) return { kind: 'nested too deep' };
    if (firstAnswer === null && roleOf(entry) === 'assistant') firstAnswer = responseKeyOf(messageOf(entry));
    return { kind: 'drafts', drafts: [...attribution(entry.timestamp, timeMs), ...recorded] };
  }

  function takeCopy(entry: Entry, timeMs: number): Taken {
    // Branching drops entries from a path (labels); what hung below one of them follows the entry in front of it.
    const above = entry.parentId === null ? rootPlace : (places.at(entry.parentId) ?? places.last);
    const owner = lineage.ownerOf(header, path, timeMs);
    const session: Session = { id: owner.sessionId, cwd: owner.cwd, contentOf };
    const drafts = recordAt(above, session, entry);
    if (drafts === null) return { kind: 'nested too deep' };
    const spends = drafts.some(hasSpend);
    if (owner.sessionId !== header.id) count(owner, spends);
    return spends && owner.isFileThere && isWithoutCost(entry) ? { kind: 'left to its owner' } : { kind: 'drafts', drafts };
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
      return !hasOwn && timeMs < header.timeMs ? takeCopy(entry, timeMs) : takeOwn(entry, timeMs);
    },
    end() {
      return [...copies.values()].map(({ owner, entries, spendEntries }) =>
        recordSessionCopied(header, { sessionId: owner.sessionId, assumed: owner.isAssumed }, { entries, spendEntries }),
      );
    },
    get standing() {
      const awaitedParent = claimedBy === null ? (placed?.awaitedParent ?? null) : null;
      return { places: places.newest(), utcOffsetMinutes, hasOwn, firstAnswer, awaitedParent };
    },
  };
}

export function hasSpend({ data }: EventDraft): boolean {
  return 'spend' in data && data.spend !== null;
}

/** Then the session may have been read without knowing its parent: the better guess stands just behind that of then. */
function isParentToldElsewhere(placed: PlacedSubagent | null, claimedBy: SubagentParent | null): boolean {
  return claimedBy !== null || (placed !== null && placed.parent !== null && !placed.isParentInPath);
}

/**
 * omp's `/tan` takes the cost out of the entries that it copies, so that they look like others. Where the owner's file is there it says
 * what they cost, and such a copy says nothing.
 */
function isWithoutCost(entry: Entry): boolean {
  const usage = asObject(entry.body.usage) ?? asObject(messageOf(entry).usage);
  const total = asObject(usage?.cost)?.total;
  return usage !== null && (typeof total !== 'number' || total === 0);
}
