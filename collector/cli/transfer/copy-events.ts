/**
 * Copies the events of one log to another, in order, each unchanged and with its time of receipt.
 *
 * Guarantees: what the target already has is compared before anything is written; a target with
 * anything but a leading part of the source's events is not changed. Each append is one group of
 * the target's group commit, so an interrupted copy leaves a leading part, and continues from
 * there. A damaged event of the source is named and passed over; where the target has it whole,
 * from an earlier copy, it stays.
 */
import type { Log } from '../../log/log.ts';
import { readEvent, type StoredEvent, type StoredText } from '../../log/stored-event.ts';
import type { DamageFound } from './damage-found.ts';
import { createLogDigest, type LogDigest, type LogFigures } from './log-digest.ts';

/** How much of the source the target has. */
export type ComparedLogs =
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

export interface EventsToCopy {
  readonly from: Log;
  readonly to: Log;
  /** Gets the source's damaged events. */
  readonly damage: DamageFound;
}

/** Writes nothing. */
export async function compareEvents(
  { from, to, damage }: EventsToCopy,
  onEvents: OnEvents,
): Promise<ComparedLogs> {
  const digest = createLogDigest();
  const source = createSourceReader(from, damage);
  let events = 0;
  for await (const there of textsOf(to)) {
    for (const text of there)
      if (!(await source.has(text))) return { is: 'other_events', position: text.position };
    digest.add(there);
    events += there.length;
    onEvents(events);
  }
  return { is: 'leading_part', events, digest, position: source.position() };
}

/** Takes the source's events one after the other. */
function createSourceReader(from: Log, damage: DamageFound) {
  let position = 0;
  let texts: readonly StoredText[] = [];
  let index = 0;

  async function next(): Promise<StoredText | undefined> {
    if (index === texts.length) {
      texts = await from.readTexts(position, eventsInHandMax, charsInHandMax);
      index = 0;
    }
    const text = texts[index];
    index += 1;
    position = text?.position ?? position;
    return text;
  }

  return {
    position: () => position,
    /** Whether the next event is this one; passes over damaged ones that are others. */
    async has(there: StoredText): Promise<boolean> {
      for (let text = await next(); text !== undefined; text = await next()) {
        const read = readEvent(text);
        if (read.damage === undefined) return isSame(text, there);
        if (text.eventId === there.eventId) {
          damage.addKept();
          return true;
        }
        damage.add(read);
      }
      return false;
    },
  };
}

/**
 * Appends the rest of the source, up to its newest event. Returns the figures of the whole source,
 * as far as it can be read.
 */
export async function appendRest(
  { from, to, damage }: EventsToCopy,
  done: ComparedLogs & { is: 'leading_part' },
  onEvents: OnEvents,
): Promise<LogFigures> {
  const { digest } = done;
  let { events } = done;
  for await (const texts of textsOf(from, done.position)) {
    const whole = texts.map((text) => ({ text, read: readEvent(text) })).filter(isWhole);
    await appendTexts(to, whole);
    digest.add(whole.map(({ text }) => text));
    events += whole.length;
    onEvents(events);
  }
  return digest.figures();

  function isWhole({ read }: ReadText): boolean {
    if (read.damage !== undefined) damage.add(read);
    return read.damage === undefined;
  }
}

interface ReadText {
  readonly text: StoredText;
  readonly read: StoredEvent;
}

export async function measureLog(log: Log, onEvents: OnEvents): Promise<LogFigures> {
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
async function appendTexts(log: Log, texts: readonly ReadText[]): Promise<void> {
  await Promise.all(
    receivedTogether(texts).map((run) =>
      log.append({
        receivedAtMs: run[0]?.text.receivedAtMs ?? 0,
        events: run.map(({ read }) => read.event),
        eventTexts: run.map(({ text }) => text.text),
        deadLetters: [],
      }),
    ),
  );
}

/** Split where the time of receipt changes: an append has one. */
function receivedTogether(texts: readonly ReadText[]): ReadText[][] {
  const runs: ReadText[][] = [];
  for (const each of texts) {
    const run = runs.at(-1);
    if (run?.[0]?.text.receivedAtMs === each.text.receivedAtMs) run.push(each);
    else runs.push([each]);
  }
  return runs;
}

function isSame(one: StoredText, other: StoredText): boolean {
  return (
    one.eventId === other.eventId &&
    one.receivedAtMs === other.receivedAtMs &&
    one.text === other.text
  );
}
