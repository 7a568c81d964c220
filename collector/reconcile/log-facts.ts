/**
 * What the log says, session by session: sums first, and single units only for sessions that need a
 * closer look.
 */

import { type Accounted, addTo } from './accounted.ts';
import type { AskCollector } from './ask.ts';
import { addAccount, type ClaimBook, claimsMax, isResponse, noClaims } from './claim-book.ts';
import { addRequests, addUnit, noSums, removeUnit, type SessionSums } from './figures.ts';
import type { Json } from './files/usage-figures.ts';
import { timeInId } from './id-time.ts';
import {
  isUnpricedCopy,
  type LogAccount,
  type LogLink,
  type LogMove,
  type LogRow,
  readEvent,
} from './log-events.ts';
import { createLogPositions, type LogPositions } from './log-positions.ts';
import { isImported, isUnsureUnpriced, type LogUnit, rowsAfter, unitAt } from './log-rows.ts';
import { createStreamedInLog } from './log-streamed.ts';
import { createMovePairs, type Unpaired } from './move-pairs.ts';
import { addName, addRef, removeRef } from './ties.ts';
import { claimKeyOf, fingerprintOf, type Unit } from './unit.ts';
import { createUnpricedCopies } from './unpriced-copies.ts';
import { createWithdrawnUnits, type WithdrawnUnits } from './withdrawn-units.ts';

export interface LogSession {
  readonly sessionId: string;
  readonly sums: SessionSums;
  readonly book: ClaimBook;
  /** Whether an importer has read its file. */
  imported: boolean;
  /** When it first spent something. */
  firstMs: number;
}

export interface LogFacts {
  readonly sessions: ReadonlyMap<string, LogSession>;
  /** Sessions with units that a file has under another session, and those other sessions. */
  readonly moved: ReadonlySet<string>;
  /** Identities of records without a price that may be copies of others. */
  readonly unsureUnpriced: ReadonlySet<string>;
  /** What subagents account for: by subagent, then by key. */
  readonly accountedByChild: ReadonlyMap<string, ReadonlyMap<string, Accounted>>;
  readonly withdrawn: Pick<WithdrawnUnits, 'has' | 'countOf' | 'spentBy'>;
  /** Whether its file or its process has told of its start. */
  isStarted(sessionId: string): boolean;
  events(): number;
  readonly positions: Pick<LogPositions, 'missing' | 'firstMissing'>;
  /** The position of the last event that the sums contain. */
  lastPosition(): number;
  /** Reads newly appended events; false when there are none. */
  readOn(): Promise<boolean>;
  /** Reads all events again. */
  rows(): AsyncGenerator<LogRow>;
  /** Records that their moves make count more or less than once. */
  unpaired(): Promise<readonly Unpaired[]>;
  /** Reads the units of these sessions again, one by one. */
  unitsOf(sessionIds: ReadonlySet<string>): AsyncGenerator<LogUnit>;
}

/**
 * `ownerOf` gives the session that owns a unit by the files; null when no file has it. Rejects like
 * `ask`, and on too many claims.
 */
export async function readLogFacts(
  ask: AskCollector,
  ownerOf: (identity: string) => string | null,
  claimsAtMost: number = claimsMax,
  floorMs = 0,
): Promise<LogFacts> {
  const sessions = new Map<string, LogSession>();
  const moved = new Set<string>();
  const unsureUnpriced = new Set<string>();
  const accountedByChild = new Map<string, Map<string, Accounted>>();
  /** By event id: the position of its last move into a session. */
  const movedAt = new Map<string, number>();
  const copies = createUnpricedCopies();
  const pairs = createMovePairs();
  const streamed = createStreamedInLog();
  const positions = createLogPositions();
  const withdrawn = createWithdrawnUnits();
  let copiesCounted: readonly Unit[] = [];
  let lastPosition = 0;
  let events = 0;
  let claims = 0;

  /** Events before the floor that are not deleted yet, or arrived late, are not compared either. */
  const isSealed = (event: Json): boolean => timeInId(event.id) < floorMs;

  function take({ event, position, withdrawn: takenBack }: LogRow): void {
    if (takenBack !== undefined) withdrawn.add(takenBack);
    if (isSealed(event)) return;
    const said = readEvent(event);
    switch (said.about) {
      case 'unit':
        takeEntry(event, said.unit);
        break;
      case 'move':
        takeMove(said.move, position);
        break;
      case 'account':
        takeAccount(said.account);
        break;
      case 'link':
        takeLink(said.link);
        break;
      case 'requests':
        addRequests(openSession(sessions, said.sessionId).sums, said.count);
        break;
      case 'streamed':
        streamed.add(said.sessionId);
        break;
      case 'started':
        streamed.start(said.sessionId);
        break;
    }
  }

  function takeEntry(event: Json, unit: Unit): void {
    if (isUnsureUnpriced(event, unit)) unsureUnpriced.add(unit.identity);
    if (isUnpricedCopy(event.ownership, unit)) copies.add(unit);
    else takeUnit(unit, isImported(event));
  }

  function takeLink({ sessionId, entryId, childSessionId, ref, isOut = false }: LogLink): void {
    const { ties } = openSession(sessions, sessionId).book;
    if (entryId !== null && isOut) removeRef(ties, entryId, ref);
    else if (entryId !== null) addRef(ties, entryId, ref);
    if (childSessionId !== null) addName(ties, childSessionId, ref);
  }

  function takeMove(move: LogMove, position: number): void {
    const { eventId, isIn, unit, isCopy } = move;
    if (isIn) movedAt.set(eventId, position);
    pairs.add(move);
    if (isCopy) copies.add(unit, isIn ? 1 : -1);
    else if (isIn) takeUnit(unit, true);
    else giveBack(unit);
  }

  function giveBack(unit: Unit): void {
    const { sums, book } = openSession(sessions, unit.sessionId);
    removeUnit(sums, unit);
    if (claimKeyOf(unit) === null) return;
    const fingerprint = fingerprintOf(unit);
    const index = book.claims.findIndex((claim) => fingerprintOf(claim) === fingerprint);
    if (index >= 0) book.claims.splice(index, 1);
    claims -= 1;
  }

  function takeUnit(unit: Unit, imported: boolean): void {
    const session = openSession(sessions, unit.sessionId);
    addUnit(session.sums, unit);
    session.imported ||= imported;
    session.firstMs = Math.min(session.firstMs, unit.timeMs);
    if (claimKeyOf(unit) !== null) {
      claims += 1;
      if (claims > claimsAtMost)
        throw new Error(
          `The log has more than ${claimsAtMost} subagent claims, too many to compare.`,
        );
      session.book.claims.push(unit);
    }
    const owner = ownerOf(unit.identity);
    if (owner === null || owner === unit.sessionId) return;
    moved.add(owner);
    moved.add(unit.sessionId);
  }

  function takeAccount(account: LogAccount): void {
    const { parentSessionId, childSessionId, keys, accounted, timeMs } = account;
    const { book } = openSession(sessions, parentSessionId);
    addAccount(book, childSessionId, keys, accounted, timeMs);
    const ofChild = accountedByChild.get(childSessionId) ?? new Map<string, Accounted>();
    accountedByChild.set(childSessionId, ofChild);
    const sumKeys = keys.filter((key) => !isResponse(key));
    for (const key of sumKeys.length > 0 ? sumKeys : keys)
      addTo(ofChild, `${parentSessionId} ${key}`, accounted);
  }

  async function readOn(): Promise<boolean> {
    const before = events;
    for await (const row of rowsAfter(ask, lastPosition)) {
      take(row);
      positions.add(row.position);
      events += 1;
      lastPosition = row.position;
    }
    if (events > before) await countCopies();
    streamed.settle((sessionId) => openSession(sessions, sessionId).sums);
    return events > before;
  }

  /** Any new event may be a copy without a price, or the record with the price of one. */
  async function countCopies(): Promise<void> {
    const found = await copies.settle(rows);
    for (const unit of copiesCounted) giveBack(unit);
    for (const unit of found) takeUnit(unit, true);
    copiesCounted = found;
  }

  const rows = (): AsyncGenerator<LogRow> => rowsAfter(ask, 0);

  await readOn();
  return {
    sessions,
    moved,
    unsureUnpriced,
    accountedByChild,
    withdrawn,
    isStarted: streamed.isStarted,
    events: () => events,
    positions,
    lastPosition: () => lastPosition,
    readOn,
    rows,
    unpaired: () => pairs.unpaired(rows),
    async *unitsOf(sessionIds) {
      for await (const row of rows()) {
        const found = isSealed(row.event) ? null : unitAt(row, movedAt);
        if (found !== null && sessionIds.has(found.unit.sessionId) && !copies.isLeft(found.unit))
          yield found;
      }
    },
  };
}

function openSession(sessions: Map<string, LogSession>, sessionId: string): LogSession {
  const known = sessions.get(sessionId) ?? {
    sessionId,
    sums: noSums(),
    book: noClaims(),
    imported: false,
    firstMs: Number.POSITIVE_INFINITY,
  };
  sessions.set(sessionId, known);
  return known;
}
