/**
 * The tree of the current session, as a host passes it in.
 *
 * Contract of all functions here: they never throw. A context outlives its session, and its getters
 * then throw; anything unavailable is null or empty. Nothing is stored or modified.
 */
import { type Entry, type Header, readEntry, readHeader } from '../../core/record/entry.ts';
import {
  asEntryId,
  asList,
  asObject,
  asString,
  asText,
  type JsonObject,
} from '../../core/record/fields.ts';
import { called, guarded } from './host-call.ts';

/** The tree of one session. */
export interface HostSession {
  readonly id: string;
  header(): Header | null;
  /** Returns null for a session in memory only. */
  file(): string | null;
  leafId(): string | null;
  entry(id: string): Entry | null;
  /**
   * The nearest entry of one of these types, searching upwards from `fromId` until `stops` returns
   * true.
   */
  climb(
    fromId: string,
    types: ReadonlySet<unknown>,
    stepsMax: number,
    stops: (id: string) => boolean,
  ): Climb;
  /** All entries. The host copies its array for this: 120 us at 10,000 entries. */
  entries(): EntryList;
}

interface Climb {
  readonly entry: Entry | null;
  /** The entry at which `stops` returned true. */
  readonly stoppedAt: string | null;
}

/** In file order. Entries are parsed on access. */
export interface EntryList {
  readonly length: number;
  at(index: number): Entry | undefined;
  idAt(index: number): string | null;
  /** Without parsing the entry. */
  typeAt(index: number): unknown;
}

/** The methods that every handler calls. If one is missing, the call throws, which is guarded. */
type Manager = JsonObject & { getLeafId(): unknown; getEntry(id: string): unknown };

export function readSession(ctx: unknown): HostSession | null {
  const manager = guarded(() => asObject(asObject(ctx)?.sessionManager));
  const id = asText(called(manager, 'getSessionId'));
  if (manager === null || id === null) return null;
  return {
    id: id.slice(0, 200),
    header: () => readHeader(called(manager, 'getHeader')),
    file: () => asString(called(manager, 'getSessionFile')),
    leafId: () => guarded(() => asEntryId((manager as Manager).getLeafId())),
    entry: (entryId) => guarded(() => readEntry((manager as Manager).getEntry(entryId))),
    climb: (...climb) => guarded(() => climbed(manager as Manager, ...climb)) ?? nowhere,
    entries: () => toEntryList(asList(called(manager, 'getEntries'))),
  };
}

const nowhere: Climb = { entry: null, stoppedAt: null };

/** Takes thousands of steps in one handler, so it allocates nothing on the way. */
function climbed(
  manager: Manager,
  ...[fromId, types, stepsMax, stops]: Parameters<HostSession['climb']>
): Climb {
  let id: string | null = fromId;
  for (let step = 0; id !== null && step < stepsMax; step += 1) {
    if (stops(id)) return { entry: null, stoppedAt: id };
    const body = asObject(manager.getEntry(id));
    if (body === null || typeof body.type !== 'string' || typeof body.timestamp !== 'string')
      return nowhere;
    if (types.has(body.type)) return { entry: readEntry(body), stoppedAt: null };
    id = asEntryId(body.parentId);
  }
  return nowhere;
}

function toEntryList(values: readonly unknown[]): EntryList {
  return {
    length: values.length,
    at: (index) => readEntry(values[index]) ?? undefined,
    idAt: (index) => asEntryId(asObject(values[index])?.id),
    typeAt: (index) => asObject(values[index])?.type,
  };
}
