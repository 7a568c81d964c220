/**
 * Guesses whose session it was from a session file and this machine. A guess counts only while no
 * live attribution is known, and one inferred from another session's file only while the session's
 * own file is unknown too.
 *
 * The event's id is a hash of its content, so that the same guess is the same event. Billing is
 * left open, because no file contains it.
 */
import type { EventData } from '@pi-ledger/contract';
import type { Project } from '@pi-ledger/core/project/project';
import type { EventDraft } from '@pi-ledger/core/record/draft';
import type { Header } from '@pi-ledger/core/record/entry';
import { entryEventId } from '@pi-ledger/core/record/identity/event-id';

export interface Guesser {
  /** The attribution at `time`, which is the header's or an entry's. */
  attribute(session: GuessedSession, time: Moment): EventDraft<'pi.session.attributed.v1'>;
  /**
   * Infers a session's attribution from a copy of its entries, because its own file may be gone:
   * the copy's directory, machine and user, from the copy's start on.
   */
  infer(ownerId: string, copy: GuessedSession): EventDraft<'pi.session.attributed.v1'>;
  /** This machine's minutes east of UTC at that time. */
  utcOffsetMinutes(timeMs: number): number;
}

export interface GuessedSession {
  readonly header: Pick<Header, 'id' | 'cwd' | 'timestamp' | 'timeMs'>;
  /** The importer's name, which is the host's. */
  readonly importer: string;
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
/** All time zones change at quarters of an hour. */
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
