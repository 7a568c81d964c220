/**
 * Copies the events of one log to another, in order, each unchanged and with its time of receipt.
 *
 * Guarantees: what the target already has is compared before anything is written; a target with
 * anything but a leading part of the source's events is not changed. Each append is one group of
 * the target's group commit, so an interrupted copy leaves a leading part, and continues from
 * there.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Log } from '../log/log.ts';
import type { StoredText } from '../log/stored-event.ts';
import { createLogDigest, type LogDigest, type LogFigures } from './log-digest.ts';

/** How much of the source the target has. */
export type Compared =
  | {
      readonly is: 'leading_part';
      readonly events: number;
      readonly digest: LogDigest;
      /** In the source. */
      readonly position: number;
    }
  /** Position of the first event of the target that differs from the source. */
  | { readonly is: 'other_events'; readonly position: number };

/** Called with the number of events so far. Must not throw. */
export type OnEvents = (events: number) => void;

/**
 * Events held at once. A group of the target's log takes more, so an append of these is one group.
 */
const eventsInHandMax = 1_000;
const charsInHandMax = 8 * 1024 * 1024;

/** Writes nothing. */
export async function compareEvents(from: Log, to: Log, onEvents: OnEvents): Promise<Compared> {
  const digest = createLogDigest();
  let events = 0;
  let position = 0;
  for await (const there of textsOf(to)) {
    // A shorter read means that an earlier event differs.
    const expected = await from.readTexts(position, there.length, charsInHandMax);
    const other = there.find((text, index) => !isSame(text, expected[index]));
    if (other !== undefined) return { is: 'other_events', position: other.position };
    digest.add(expected);
    events += there.length;
    position = expected.at(-1)?.position ?? position;
    onEvents(events);
  }
  return { is: 'leading_part', events, digest, position };
}

/**
 * Appends the rest of the source, up to its newest event. Returns the figures of the whole source.
 */
export async function appendRest(
  from: Log,
  to: Log,
  done: Compared & { is: 'leading_part' },
  onEvents: OnEvents,
): Promise<LogFigures> {
  const { digest } = done;
  let { events } = done;
  for await (const texts of textsOf(from, done.position)) {
    await appendTexts(to, texts);
    digest.add(texts);
    events += texts.length;
    onEvents(events);
  }
  return digest.figures();
}

export async function figuresOf(log: Log, onEvents: OnEvents): Promise<LogFigures> {
  const digest = createLogDigest();
  let events = 0;
  for await (const texts of textsOf(log)) {
    digest.add(texts);
    events += texts.length;
    onEvents(events);
  }
  return digest.figures();
}

async function* textsOf(log: Log, position = 0): AsyncGenerator<readonly StoredText[]> {
  for (let after = position; ; ) {
    const texts = await log.readTexts(after, eventsInHandMax, charsInHandMax);
    const last = texts.at(-1);
    if (last === undefined) return;
    yield texts;
    after = last.position;
  }
}

/**
 * Appended in one turn of the event loop and within one group: committed together and in this
 * order.
 */
async function appendTexts(log: Log, texts: readonly StoredText[]): Promise<void> {
  await Promise.all(
    receivedTogether(texts).map((run) =>
      log.append({
        receivedAtMs: run[0]?.receivedAtMs ?? 0,
        events: run.map(({ text }) => JSON.parse(text) as LedgerEvent),
        eventTexts: run.map(({ text }) => text),
        deadLetters: [],
      }),
    ),
  );
}

/** Split where the time of receipt changes: an append has one. */
function receivedTogether(texts: readonly StoredText[]): StoredText[][] {
  const runs: StoredText[][] = [];
  for (const text of texts) {
    const run = runs.at(-1);
    if (run?.[0]?.receivedAtMs === text.receivedAtMs) run.push(text);
    else runs.push([text]);
  }
  return runs;
}

function isSame(one: StoredText, other: StoredText | undefined): boolean {
  return (
    other !== undefined &&
    one.eventId === other.eventId &&
    one.receivedAtMs === other.receivedAtMs &&
    one.text === other.text
  );
}
