import { agentNameIn } from '@pi-ledger/core/record/agent-name';
import type { EventDraft } from '@pi-ledger/core/record/draft';
import { type Entry, entryMessage, entryRole, parseTimeMs } from '@pi-ledger/core/record/entry';
import type { RecordedSession } from '@pi-ledger/core/record/entry-draft';
import {
  advance,
  afterPause,
  type PathState,
  rootState,
  withPrivacy,
} from '@pi-ledger/core/record/path-state';
import { isPrivate, type Privacy, privacyAt } from '@pi-ledger/core/record/privacy';
import { recordEntry } from '@pi-ledger/core/record/record-entry';
import { recordSessionStarted, sessionIdOfParent } from '@pi-ledger/core/record/session';
import { responseKeyOf } from '@pi-ledger/core/record/subagent';
import { createCopiedEntries } from './copied-entries.ts';
import { hasSpend, isWithoutPrice, markedBy, unpricedKind } from './draft-spend.ts';
import { guessSession } from './guessed-session.ts';
import type { EntryOwner } from './lineage.ts';
import { createOtherAccounts } from './other-accounts.ts';
import {
  attributedLaterMs,
  draftLinks,
  draftTies,
  nameToKeep,
  startedRuns,
} from './own-subagent.ts';
import { advanced, createPathStates } from './path-states.ts';
import { placedSubagent } from './placed-subagent.ts';
import { entryName } from './private/private-stretches.ts';
import type { ReaderState } from './reader-state.ts';
import type { RecordedEntry } from './recorded-entry.ts';
import type { EntryRecorderOptions } from './recording.ts';

export interface EntryRecorder {
  /** The header's event and attribution, for a file that is read from its start. */
  begin(): readonly EventDraft[];
  /** Call in file order. */
  take(entry: Entry): RecordedEntry;
  /** What is only known after the last entry. */
  end(): readonly EventDraft[];
  readonly standing: ReaderState;
  /** After the last entry. */
  readonly privacy: Privacy;
}

export function createEntryRecorder(options: EntryRecorderOptions): EntryRecorder {
  const {
    path,
    header,
    importer,
    unpricesCopies,
    lineage,
    guesser,
    claimedBy,
    isClaimedAnew,
    alsoClaimedBy = [],
    ties = [],
    privateCopies = [],
    standing,
  } = options;
  const contentOf = options.contents === null ? null : options.contents.of;
  const placed = placedSubagent(path, header, lineage);
  const states = createPathStates(standing?.places ?? []);
  const own: RecordedSession = {
    id: header.id,
    cwd: header.cwd,
    parent: claimedBy ?? placed?.parent ?? null,
    contentOf,
  };
  let guessed = guessSession(header, importer, placed, claimedBy, standing?.agentName ?? null);
  const guessedLaterMs = attributedLaterMs(placed, claimedBy, isClaimedAnew);
  const accountOthers = createOtherAccounts(alsoClaimedBy, own);
  const privateNames = new Set(privateCopies);
  const copies = createCopiedEntries(header, standing?.copiedAnswers ?? []);
  /** A fork made while the clock was set back holds copies that look like its own entries. */
  const isUnsure = header.parentSession !== null && placed?.name == null;
  const runs = startedRuns(header, placed, standing);
  let {
    utcOffsetMinutes,
    hasOwn,
    firstAnswer,
    privacy = 'none',
  } = standing ?? { utcOffsetMinutes: null, hasOwn: false, firstAnswer: null };

  /** None for a time that nobody can read: it would be one of 1970, when zones differed. */
  function attribution(timestamp: string, timeMs: number): readonly EventDraft[] {
    if (header.cwd === null || parseTimeMs(timestamp) === null) return [];
    const minutes = guesser.utcOffsetMinutes(timeMs);
    if (minutes === utcOffsetMinutes) return [];
    utcOffsetMinutes = minutes;
    return [guesser.attribute(guessed, { timestamp, timeMs: timeMs + guessedLaterMs })];
  }

  /** A subagent's session says after its start which agent it is of. */
  function nameAgent(entry: Entry, timeMs: number): readonly EventDraft[] {
    const { kind, name } = guessed.agent;
    const agentName = kind === 'subagent' && name === null ? agentNameIn(entry) : null;
    if (agentName === null || header.cwd === null || parseTimeMs(entry.timestamp) === null)
      return [];
    guessed = { ...guessed, agent: { kind, name: agentName } };
    const at = { timestamp: entry.timestamp, timeMs: timeMs + guessedLaterMs };
    return [guesser.attribute(guessed, at)];
  }

  /** Returns null for an entry too deep for recursion; its children are attached to its parent. */
  function recordAt(
    above: PathState,
    session: RecordedSession,
    entry: Entry,
  ): readonly EventDraft[] | null {
    try {
      const drafts = recordEntry(session, entry, above);
      states.put(entry.id, advance(above, entry));
      return drafts;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      states.put(entry.id, above);
      return null;
    }
  }

  /** Once true, it is so for every later entry of the file. */
  function inFile(above: PathState): PathState {
    return withPrivacy(above, states.last.followsPrivate);
  }

  function takeOwn(entry: Entry, timeMs: number): RecordedEntry {
    const above = entry.parentId === null ? rootState : states.at(entry.parentId);
    if (above === null && standing !== null) return { kind: 'unknown parent' };
    const state = inFile(above ?? rootState);
    hasOwn = true;
    const recorded = recordAt(state, own, entry);
    if (recorded === null) return { kind: 'nested too deep' };
    if (firstAnswer === null && entryRole(entry) === 'assistant')
      firstAnswer = responseKeyOf(entryMessage(entry));
    runs?.take(recorded);
    const drafts = isUnsure ? markedBy('unsure', recorded) : recorded;
    return {
      kind: 'drafts',
      turnAtMs: state.turnAtMs,
      drafts: [
        ...attribution(entry.timestamp, timeMs),
        ...nameAgent(entry, timeMs),
        ...drafts,
        ...accountOthers(state, own, entry, firstAnswer),
      ],
    };
  }

  /** What follows it needs to know which model answers. `isMarked`: an entry of ours ends it. */
  function pass(entry: Entry, isOwn: boolean, isMarked: boolean): RecordedEntry {
    const above = entry.parentId === null ? rootState : states.at(entry.parentId);
    if (above === null && isOwn && standing !== null) return { kind: 'unknown parent' };
    hasOwn ||= isOwn;
    const state = advanced(inFile(above ?? (isOwn ? rootState : states.last)), entry);
    states.put(entry.id, isMarked ? state : afterPause(state));
    return { kind: 'private' };
  }

  function takeCopy(entry: Entry, timeMs: number): RecordedEntry {
    // Branching drops some entries (labels); the children of a dropped entry follow the previous
    // entry.
    const above = inFile(
      entry.parentId === null ? rootState : (states.at(entry.parentId) ?? states.last),
    );
    const owner = ownerOf(entry, timeMs);
    const session: RecordedSession = { id: owner.sessionId, cwd: owner.cwd, contentOf };
    const recorded = recordAt(above, session, entry);
    if (recorded === null) return { kind: 'nested too deep' };
    copies.note(owner, entry, recorded);
    if (owner.sessionId !== header.id) copies.count(owner, recorded.some(hasSpend));
    const kind = recorded.some(isWithoutPrice) ? unpricedKind(owner, unpricesCopies) : 'drafts';
    if (kind !== 'drafts') return { kind };
    const drafts = markedBy(owner.isAssumed ? 'assumed' : 'named', recorded);
    return {
      kind,
      turnAtMs: above.turnAtMs,
      drafts: [
        ...drafts,
        ...accountOthers(above, session, entry, copies.firstAnswerOf(owner.sessionId)),
      ],
    };
  }

  /** No answer arrives in the millisecond in which its session begins. */
  function ownerOf(entry: Entry, timeMs: number): EntryOwner {
    return lineage.ownerOf(header, path, isAnswer(entry) ? timeMs - 1 : timeMs);
  }

  function isOlder(entry: Entry, timeMs: number): boolean {
    return timeMs < header.timeMs || (timeMs === header.timeMs && isUnsure && isAnswer(entry));
  }

  return {
    begin() {
      const started = options.isHeaderRead ? [recordSessionStarted(header)] : [];
      return [
        ...started,
        ...attribution(header.timestamp, header.timeMs),
        ...draftLinks(header, path, placed, alsoClaimedBy),
      ];
    },
    take(entry) {
      const timeMs = parseTimeMs(entry.timestamp) ?? 0;
      const isCopy = !hasOwn && isOlder(entry, timeMs);
      privacy = privacyAt(privacy, entry);
      const isMarked = isPrivate(privacy, entry);
      if (isMarked || privateNames.has(entryName(entry))) return pass(entry, !isCopy, isMarked);
      return isCopy ? takeCopy(entry, timeMs) : takeOwn(entry, timeMs);
    },
    end() {
      const copied = copies.copied();
      // Infers the attribution of the parent, whose own file may be gone. What the parent copied
      // itself is left to its file: whether that exists may change with the next import.
      const parentId = sessionIdOfParent(header.parentSession);
      const isCopied = header.cwd !== null && copied.some(({ subject }) => subject === parentId);
      const inferred = isCopied && parentId !== null ? [guesser.infer(parentId, guessed)] : [];
      return [...copied, ...inferred, ...draftTies(header, ties)];
    },
    get standing() {
      const awaitedParent = claimedBy === null ? (placed?.awaitedParent ?? null) : null;
      return {
        places: states.newest(),
        utcOffsetMinutes,
        hasOwn,
        firstAnswer,
        copiedAnswers: copies.answers(),
        placedParent: placed?.parent ?? null,
        awaitedParent,
        ...nameToKeep(placed, guessed),
        ...(runs === null || copies.answers().length > 0 ? {} : { runs: runs.saved }),
        ...(privacy === 'none' ? {} : { privacy }),
      };
    },
    get privacy() {
      return privacy;
    },
  };
}

/** An answer or tool result, which takes time to produce. */
function isAnswer(entry: Entry): boolean {
  const role = entryRole(entry);
  return role === 'assistant' || role === 'toolResult';
}
