/**
 * Enforces the seal of one log in another (docs/decisions/0012). Its parts are events and were
 * copied as such, but their positions may differ: deleted events leave gaps in the source and none
 * in the copy.
 */
import { type Seal, sealedType } from '../../log/history.ts';
import type { Log } from '../../log/log.ts';
import { readEvent, type StoredEvent, type StoredText } from '../../log/stored-event.ts';
import type { EventsToCopy } from './copy-events.ts';

type Superseded = NonNullable<Seal['superseded']>;

/** Parts of a seal read at once. */
const partsInHandMax = 100;

/**
 * Contract: the target has the source's events up to the last part of the seal. Returns whether the
 * seal is new to the target. A seal with a damaged part does not apply there, and is said to be
 * damaged: without its sums nothing would be left of what it covers, and what is sent again would
 * be refused. Rejects when neither log has a part: then the source was sealed again during the
 * copy.
 */
export async function copySeal(
  seal: Seal | null,
  { from, to, damage }: EventsToCopy,
): Promise<boolean> {
  if (seal === null || (await to.history.seal())?.sealId === seal.sealId) return false;
  const damaged = await damagedIn(from, seal);
  if (damaged !== null) {
    damage.setSeal(damaged);
    return false;
  }
  const first = await placeIn(to, await eventAt(from, seal.first));
  const last = await placeIn(to, await eventAt(from, seal.last));
  const superseded =
    seal.superseded === null ? null : await supersededIn(to, await partsIn(from, seal.superseded));
  await to.history.enforce({ ...seal, first, last, superseded });
  return true;
}

/** The position of what is damaged among its parts; null: they are whole. */
async function damagedIn(log: Log, seal: Seal): Promise<number | null> {
  let damagedAt: number | null = null;
  let parts = 0;
  let isEnded = false;
  for await (const { event, damage, position } of readEvents(log, seal)) {
    if (damage !== undefined) damagedAt ??= position;
    if (event.type !== sealedType || event.data.sealId !== seal.sealId) continue;
    if (event.data.part === parts + 1) parts += 1;
    isEnded = event.data.isLast && event.data.part === parts;
  }
  // It may be another event, which came between them.
  return isEnded ? null : damagedAt;
}

/** From its first part to its last one. */
async function* readEvents(log: Log, { first, last }: Seal): AsyncGenerator<StoredEvent> {
  for (let after = first - 1; after < last; ) {
    const texts = await log.readTexts(after, partsInHandMax);
    for (const text of texts) if (text.position <= last) yield readEvent(text);
    after = texts.at(-1)?.position ?? last;
  }
}

async function eventAt(log: Log, position: number): Promise<StoredText | undefined> {
  const [event] = await log.readTexts(position - 1, 1);
  return event?.position === position ? event : undefined;
}

async function placeIn(log: Log, event: StoredText | undefined): Promise<number> {
  const position = event === undefined ? null : await log.history.positionOf(event.eventId);
  if (position === null)
    throw new Error(
      'The source was sealed again during the copy. Run the copy again, into an empty store.',
    );
  return position;
}

/** The first and last remaining part; their deletion may have begun. */
async function partsIn(
  log: Log,
  { first, last }: Superseded,
): Promise<readonly [StoredText, StoredText] | null> {
  let ends: [StoredText, StoredText] | null = null;
  for (let after = first - 1; after < last; ) {
    const events = await log.readTexts(after, partsInHandMax);
    const parts = events.filter((text) => text.position <= last && isPart(text));
    const [one, other] = [parts[0], parts.at(-1)];
    if (one !== undefined && other !== undefined) ends = [ends?.[0] ?? one, other];
    after = events.at(-1)?.position ?? last;
  }
  return ends;
}

async function supersededIn(
  log: Log,
  ends: readonly [StoredText, StoredText] | null,
): Promise<Superseded | null> {
  if (ends === null) return null;
  return { first: await placeIn(log, ends[0]), last: await placeIn(log, ends[1]) };
}

function isPart(text: StoredText): boolean {
  return readEvent(text).event.type === sealedType;
}
