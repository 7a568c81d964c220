/**
 * Whose session it was, as far as a session file and this machine can tell. A guess: it counts only while no live attribution of the
 * session is known.
 *
 * The event's id is computed from what it says, so that the same guess is the same event; billing is left open, since no file tells of it.
 */
import type { EventData } from '@pi-ledger/contract';
import type { Project } from '@pi-ledger/extension/project';
import type { EventDraft } from '@pi-ledger/extension/record/draft';
import type { Header } from '@pi-ledger/extension/record/entry';
import { entryEventId } from '@pi-ledger/extension/record/event-id';
import type { ImporterName } from './importer.ts';

export interface Guesser {
  /** What holds at `time`, which is the header's or that of an entry. */
  attribute(session: GuessedSession, time: Moment): EventDraft<'pi.session.attributed.v1'>;
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

  return {
    utcOffsetMinutes,
    attribute({ header, importer, parentSessionId, agent }, { timestamp, timeMs }) {
      const cwd = (header.cwd ?? '').slice(0, 4096);
      const data: EventData<typeof type> = {
        basis: 'import',
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
      const id = entryEventId(type, { id: header.id, timestamp, timeMs }, { responseId: null, usage: facts });
      return { id, type, time: new Date(timeMs).toISOString(), subject: header.id, data };
    },
  };
}
