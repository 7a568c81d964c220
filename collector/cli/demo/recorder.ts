/** Records the events of one session: its clock, the leaf of its tree, ids and sequence numbers. */
import type { EventData, EventTypeName, LedgerEvent, Sizes } from '@pi-ledger/contract';
import type { Random } from './random.ts';
import { demoUuid } from './uuid.ts';

const noSizes: Sizes = {
  textChars: 0,
  thinkingChars: 0,
  toolCallChars: 0,
  otherChars: 0,
  images: 0,
};

export interface DemoRecorder {
  readonly id: string;
  readonly random: Random;
  readonly events: readonly LedgerEvent[];
  /** The clock, in ms since 1970. */
  nowMs: number;
  /** The newest entry; set it to go on from another one. */
  leaf: string | null;
  promptEntryId: string | null;
  /** An entry event: the same however often the session's file is read. */
  entry<Name extends EventTypeName>(type: Name, data: EventData<Name>, subject?: string): void;
  /** An event that only the running host can tell. */
  live<Name extends EventTypeName>(type: Name, data: EventData<Name>): void;
  /** The place of a new entry, which is the leaf from then on. */
  place(sizes?: Partial<Sizes>): Placed;
}

interface Placed {
  readonly entryId: string;
  readonly parentEntryId: string | null;
  readonly promptEntryId: string | null;
  readonly sizes: Sizes;
}

export function createRecorder(startMs: number, random: Random): DemoRecorder {
  const events: LedgerEvent[] = [];
  const id = demoUuid(7, startMs, random);
  const source = `/producers/${demoUuid(7, startMs, random)}`;
  const record = (type: EventTypeName, version: 7 | 8, data: unknown, subject: string) => {
    const event = {
      specversion: '1.0' as const,
      id: demoUuid(version, recorder.nowMs, random),
      source,
      type,
      time: new Date(recorder.nowMs).toISOString(),
      subject,
      sequence: String(events.length + 1).padStart(10, '0'),
      data,
    };
    events.push(event as unknown as LedgerEvent);
  };
  const recorder: DemoRecorder = {
    id,
    random,
    events,
    nowMs: startMs,
    leaf: null,
    promptEntryId: null,
    entry: (type, data, subject = id) => record(type, 8, data, subject),
    live: (type, data) => record(type, 7, data, id),
    place(sizes = {}) {
      const { leaf, promptEntryId } = recorder;
      recorder.leaf = random.hex(8);
      return {
        entryId: recorder.leaf,
        parentEntryId: leaf,
        promptEntryId,
        sizes: { ...noSizes, ...sizes },
      };
    },
  };
  return recorder;
}
