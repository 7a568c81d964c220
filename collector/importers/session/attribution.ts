/**
 * Whose session it was, as far as a session file and this machine can tell. A guess: it counts only
 * while no live attribution of the session is known; what is inferred from another session's file,
 * only while the session's own is not known either.
 *
 * The event's id is computed from what it says, so that the same guess is the same event; billing
 * is left open, since no file tells of it.
 */
import type { EventData } from '@pi-ledger/contract';
import type { Project } from '@pi-ledger/extension/attribution/project';
import type { EventDraft } from '@pi-ledger/extension/record/draft';
import type { Header } from '@pi-ledger/extension/record/entry';
import { entryEventId } from '@pi-ledger/extension/record/identity/event-id';
import type { ImporterName } from '../importer.ts';

export interface Guesser {
  /** What holds at `time`, which is the header's or that of an entry. */
  attribute(session: GuessedSession, time: Moment): EventDraft<'pi.session.attributed.v1'>;
  /**
   * What a copy of its entries says of a session whose own file may be gone: the same place,
   * machine and user as the copy's, from the copy's start on.
   */
  infer(ownerId: string, copy: GuessedSession): EventDraft<'pi.session.attributed.v1'>;
  /** Minutes east of UTC, as this machine has them at that time. */
  utcOffsetMinutes(timeMs: number): number;
}

export interface GuessedSession {
  readonly header: Header;
  readonly importer: ImporterName;
  readonly parentSessionId: string | null;
  readonly agent: EventData<typeof type>['agent'];
}

interface Moment {
  readonly timestamp: string;
  readonly timeMs: number;
}

export interface GuesserOptions {
  readonly user: string;
  readonly machine: string;
  readonly projectOf: (cwd: string) => Project;
  /** Version of pi-ledger. */
  readonly version: string;
}

const type = 'pi.session.attributed.v1';
/** Zones change at quarters of an hour, all of them. */
const zoneStepMs = 15 * 60 * 1000;

export function createGuesser({ user, machine, projectOf, version }: GuesserOptions): Guesser {
  let zone = { step: Number.NaN, minutes: 0 };

  function utcOffsetMinutes(timeMs: number): number {
    const step = Math.floor(timeMs / zoneStepMs);
    if (step !== zone.step) zone = { step, minutes: -new Date(timeMs).getTimezoneOffset() || 0 };
    return zone.minutes;
  }

  function attributed(
    basis: 'import' | 'inferred',
    subject: string,
    { header, importer, parentSessionId, agent }: GuessedSession,
    { timestamp, timeMs }: Moment,
  ): EventDraft<'pi.session.attributed.v1'> {
    const cwd = (header.cwd ?? '').slice(0, 4096);
    const data: EventData<typeof type> = {
      basis,
      project: projectOf(cwd),
      cwd,
      user,
      machine,
      utcOffsetMinutes: utcOffsetMinutes(timeMs),
      billing: {},
      host: { name: importer, version: null },
      mode: 'unknown',
      agent,
      parentSessionId,
      previousSessionId: null,
      producerVersion: version,
    };
    const { producerVersion: _, ...facts } = data;
    const id = entryEventId(
      type,
      { id: subject, timestamp, timeMs },
      { responseId: null, usage: facts },
    );
    return { id, type, time: new Date(timeMs).toISOString(), subject, data };
  }

  return {
    utcOffsetMinutes,
    attribute: (session, moment) => attributed('import', session.header.id, session, moment),
    infer: (ownerId, copy) =>
      attributed(
        'inferred',
        ownerId,
        { ...copy, parentSessionId: null, agent: { kind: 'main', name: null } },
        copy.header,
      ),
  };
}
