/**
 * Sessions for tests of the context's computations: recorded ones, and ones with just what a test
 * is about.
 */
import type { EventData, EventTypeName, LedgerEvent, Spend } from '@pi-ledger/contract';
import {
  type SessionFacts,
  sessionFactsOf,
} from '../../../../collector/answers/context/session-facts.ts';
import { context } from '../../../../collector/projections/context.ts';
import { eventsOf, type SessionFile, sessionFile } from '../../../extension/support/sessions.ts';
import { fold } from '../../projections/support/fold.ts';
import { event, spendOf } from '../../projections/support/given.ts';

/** The events of an import. */
export function eventsOfFile({ header, entries, parent }: SessionFile): LedgerEvent[] {
  return eventsOf(header, entries, parent).map(
    (draft) => ({ specversion: '1.0', source: '/importers/test', ...draft }) as LedgerEvent,
  );
}

export function recordedFacts(name: string): SessionFacts {
  const file = sessionFile(name);
  return factsOf(eventsOfFile(file), file.header.id);
}

/** Folded and encoded by the projection, as a query finds them. */
export function factsOf(events: readonly LedgerEvent[], session = 's1'): SessionFacts {
  const chunks = [...fold(context, events, { isReloaded: true }).states.values()].filter(
    (chunk) => chunk.session === session,
  );
  return sessionFactsOf(session, chunks);
}

/**
 * A session under construction: by default, each entry is below the previous one, a second later.
 */
export class Story {
  readonly events: LedgerEvent[] = [];
  readonly session: string;
  seconds = 0;
  prompt: string | null = null;
  last: string | null = null;
  turnId: string | null = null;

  constructor(session = 's1') {
    this.session = session;
  }

  user(id: string, chars = 40): this {
    this.entry('pi.prompt.submitted.v1', id, { sizes: sizes({ textChars: chars }) });
    this.prompt = id;
    return this;
  }

  turn(id: string, spend: Partial<Spend>, chars = 40): this {
    this.turnId = id;
    return this.entry('pi.turn.completed.v1', id, {
      spend: spendOf(spend),
      sizes: sizes({ textChars: chars }),
    });
  }

  read(id: string, path: string | readonly string[], chars = 400): this {
    const data = {
      toolName: 'read',
      paths: typeof path === 'string' ? [path] : path,
      spend: null,
      turnEntryId: this.turnId,
      isError: false,
      sizes: sizes({ textChars: chars }),
    };
    return this.entry('pi.tool.completed.v1', id, data);
  }

  compaction(id: string, data: Partial<EventData<'pi.compaction.completed.v1'>>): this {
    const nothing = {
      spend: null,
      tokensAfterEstimated: null,
      filesRead: [],
      filesModified: [],
      sizes: sizes({ textChars: 80 }),
    };
    return this.entry('pi.compaction.completed.v1', id, { ...nothing, ...data });
  }

  entry<Name extends EventTypeName>(type: Name, id: string, data: object): this {
    const place = { entryId: id, parentEntryId: this.last, promptEntryId: this.prompt };
    this.last = id;
    return this.live(type, { ...place, ...data });
  }

  /** Adds any other event. */
  live<Name extends EventTypeName>(type: Name, data: object): this {
    this.seconds += 1;
    this.events.push(
      event(type, { at: this.now(), session: this.session }, data as Partial<EventData<Name>>),
    );
    return this;
  }

  /** Adds an entry that the ledger does not record. */
  hole(id: string): this {
    this.last = id;
    return this;
  }

  goTo(id: string | null): this {
    this.last = id;
    return this;
  }

  wait(seconds: number): this {
    this.seconds += seconds;
    return this;
  }

  facts(): SessionFacts {
    return factsOf(this.events, this.session);
  }

  now(): string {
    return new Date(Date.parse('2026-11-22T09:00:00.000Z') + this.seconds * 1_000).toISOString();
  }
}

export function sizes(given: Partial<EventData<'pi.prompt.submitted.v1'>['sizes']>) {
  return { textChars: 0, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 0, ...given };
}
