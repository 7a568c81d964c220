/** What becomes of each value of a batch: an event to append, or a rejection. Pure. */
import { type LedgerEvent, limits, type Rejection } from '@pi-ledger/contract';
import type { AppendBatch, SequencePlace } from '../log/log.ts';
import { checkOwn, createEventCheck, type EventVerdict, latestTime } from './event-check.ts';

import { attest, refuseClaim, type Sender } from './sender.ts';

export interface SortedBatch {
  readonly events: LedgerEvent[];
  /** The JSON of `events`, in the same order. */
  readonly texts: string[];
  readonly rejected: RejectedEvent[];
}

export type RejectedEvent = Extract<EventVerdict, { kind: 'rejected' }> & {
  readonly index: number;
  readonly text: string;
  readonly value: unknown;
};

type SortBatch = (
  values: readonly unknown[],
  texts: readonly string[],
  nowMs: number,
  senderOf: (index: number) => Sender,
) => SortedBatch;

interface SorterOptions {
  /** A move may be larger than any other event; by default it has no bound. */
  readonly moveBytesMax?: number;
}

export function createBatchSorter({
  moveBytesMax = Number.POSITIVE_INFINITY,
}: SorterOptions = {}): SortBatch {
  const check = createEventCheck();

  function judge(value: unknown, latest: string, sender: Sender): EventVerdict {
    return sender.is === 'importer' ? checkOwn(value as LedgerEvent, latest) : check(value, latest);
  }

  return (values, texts, nowMs, senderOf) => {
    const sorted: SortedBatch = { events: [], texts: [], rejected: [] };
    const latest = latestTime(nowMs);
    for (const [index, value] of values.entries()) {
      const text = texts[index] ?? '';
      const sender = senderOf(index);
      // First of all: a dead letter that is rejected for another reason then carries no claim.
      const verdict =
        refuseClaim(value, sender) ??
        (isMove(value, sender) ? refuseMove(text, moveBytesMax) : refuseShape(text)) ??
        judge(value, latest, sender);
      if (verdict.kind === 'rejected') {
        const attested = attest({ value, text }, sender);
        sorted.rejected.push({ ...verdict, index, text: attested.text, value });
      } else {
        const attested = attest({ value: verdict.event, text }, sender);
        sorted.events.push(attested.value);
        sorted.texts.push(attested.text);
      }
    }
    return sorted;
  };
}

export function toRejection({ index, code, field, message }: RejectedEvent): Rejection {
  return { index, code, field, message };
}

export function toDeadLetter(rejected: RejectedEvent): AppendBatch['deadLetters'][number] {
  const { code, field, message, text } = rejected;
  return { code, field, message, body: isTooLarge(text) ? cut(text) : text };
}

/** As the envelope has it. */
const sourceCharsMax = 200;

/** The sequence numbers of rejected events, as far as they name them: they did arrive. */
export function sequencePlaces(rejected: readonly Pick<RejectedEvent, 'value'>[]): SequencePlace[] {
  return rejected.flatMap(({ value }) => {
    const { source, sequence } = (value ?? {}) as {
      readonly source?: unknown;
      readonly sequence?: unknown;
    };
    if (typeof source !== 'string' || source === '' || source.length > sourceCharsMax) return [];
    return typeof sequence === 'string' && /^\d{10}$/.test(sequence) ? [{ source, sequence }] : [];
  });
}

function tooLarge(bytesMax: number): EventVerdict {
  const message = `An event has at most ${bytesMax} bytes.`;
  return { kind: 'rejected', code: 'too_large', field: '', message };
}

const tooDeep: EventVerdict = {
  kind: 'rejected',
  code: 'schema',
  field: '',
  message: `An event is nested at most ${limits.eventLevelsMax} levels deep.`,
};

/** A move holds the event that it moves, which was accepted: it is larger and deeper. */
function isMove(value: unknown, sender: Sender): boolean {
  const { type } = (value ?? {}) as { readonly type?: unknown };
  return (sender.is === 'record' || sender.is === 'copy') && type === 'pi.entry.moved.v1';
}

function refuseShape(text: string): EventVerdict | null {
  if (isTooLarge(text)) return tooLarge(limits.eventBytesMax);
  return isDeeper(text, limits.eventLevelsMax) ? tooDeep : null;
}

function refuseMove(text: string, bytesMax: number): EventVerdict | null {
  return isTooLarge(text, bytesMax) ? tooLarge(bytesMax) : null;
}

function isTooLarge(text: string, bytesMax: number = limits.eventBytesMax): boolean {
  // A UTF-16 unit takes at most 3 bytes in UTF-8, so most events need no counting.
  return text.length * 3 > bytesMax && Buffer.byteLength(text) > bytesMax;
}

function cut(text: string): string {
  return Buffer.from(text).subarray(0, limits.eventBytesMax).toString();
}

/**
 * How deep JSON is nested. SQLite reads nothing of a text beyond a thousand levels: such an event
 * could be appended, and then neither be offered again nor be read by its fields.
 */
const quote = 0x22;
const backslash = 0x5c;
const opening = ['{', '['] as const;

/** `text`: valid JSON. Most events have fewer brackets than levels are allowed: no more is read. */
export function isDeeper(text: string, levelsMax: number): boolean {
  return hasMore(text, levelsMax) && nestingDepth(text, levelsMax) > levelsMax;
}

function hasMore(text: string, countMax: number): boolean {
  let count = 0;
  for (const bracket of opening)
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > countMax) return true;
    }
  return false;
}

/** Ends early beyond `levelsMax`. */
function nestingDepth(text: string, levelsMax: number): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < text.length && deepest <= levelsMax; at += 1) {
    const unit = text.charCodeAt(at);
    if (isText && unit === backslash) at += 1;
    else if (unit === quote) isText = !isText;
    else if (!isText) {
      depth += changeBy(unit);
      deepest = Math.max(deepest, depth);
    }
  }
  return deepest;
}

function changeBy(unit: number): -1 | 0 | 1 {
  if (unit === 0x7b || unit === 0x5b) return 1;
  return unit === 0x7d || unit === 0x5d ? -1 : 0;
}
