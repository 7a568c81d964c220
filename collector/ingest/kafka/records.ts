/** The topics that lie between gateways and workers, and what a record of each says. Pure. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { AppendBatch, DeadLetter, SequencePlace } from '../../log/log.ts';
import { sequencePlaces } from '../sorted-batch.ts';
import type { IncomingRecord, OutgoingRecord } from './kafka.ts';

export interface Topics {
  readonly events: string;
  readonly deadLetters: string;
  /** Events whose owner is disputed, of a ledger of several cells. */
  readonly claims: string;
}

export function topicsOf({ topicPrefix }: { readonly topicPrefix: string }): Topics {
  return {
    events: `${topicPrefix}.events`,
    deadLetters: `${topicPrefix}.dead-letters`,
    claims: `${topicPrefix}.claims`,
  };
}

/** Ms since 1970, decimal: when a gateway received it. */
const receivedHeader = 'received';

export function receivedHeaders({ receivedAtMs }: Received): OutgoingRecord['headers'] {
  return { [receivedHeader]: String(receivedAtMs) };
}

interface Received {
  readonly receivedAtMs: number;
}

/** `text`: its JSON, attested. A partition keeps the order of a session's events. */
export function eventRecord(
  topic: string,
  partition: number,
  event: Pick<LedgerEvent, 'subject'>,
  text: string,
  { receivedAtMs }: Received,
): OutgoingRecord {
  const headers = receivedHeaders({ receivedAtMs });
  return { topic, partition, key: event.subject, value: text, headers };
}

/** What a gateway refused: a dead letter, and its place in its producer's sequence where known. */
export interface Refused {
  readonly letter: AppendBatch['deadLetters'][number];
  readonly place: SequencePlace | null;
}

export function refusedRecord(
  topic: string,
  partition: number,
  refused: Refused,
  { receivedAtMs }: Received,
): OutgoingRecord {
  const headers = receivedHeaders({ receivedAtMs });
  const key = refused.place?.source ?? '';
  return { topic, partition, key, value: JSON.stringify(refused), headers };
}

/** Returns null for what no gateway writes. */
export function refusedIn({ value }: Pick<IncomingRecord, 'value'>): Refused | null {
  const refused = parseRecord(value) as Partial<Refused> | null;
  const { letter, place = null } = refused ?? {};
  return isLetter(letter) && (place === null || isPlace(place)) ? { letter, place } : null;
}

/** The last that times of the contract can say. */
const receivedMsMax = Date.UTC(10_000, 0) - 1;

/** Returns null when the record does not say. */
export function receivedAtOf({ headers }: Pick<IncomingRecord, 'headers'>): number | null {
  const text = headers[receivedHeader] ?? '';
  return /^\d{1,15}$/.test(text) && Number(text) <= receivedMsMax ? Number(text) : null;
}

function isLetter(value: unknown): value is Omit<DeadLetter, 'id' | 'receivedAtMs'> {
  return haveTexts(value, ['code', 'field', 'message', 'body']);
}

/** As ingest finds it in a refused event: a log takes no other. */
function isPlace(value: unknown): value is SequencePlace {
  return haveTexts(value, ['source', 'sequence']) && sequencePlaces([{ value }]).length === 1;
}

function haveTexts(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string');
}

export function parseRecord(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
