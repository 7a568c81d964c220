/**
 * Copies a ledger from one store to another and verifies the copy: events in the order of the log,
 * unchanged; dead letters; receipts; the seal in force; tokens. Views are not copied: whoever opens
 * the target folds them from its log.
 *
 * Guarantees: the source is only read. Nothing is written to a target whose events are not a
 * leading part of the source's. A copy killed at any point is run again with the same arguments,
 * and ends like an uninterrupted one. At the end both logs are compared as a whole. What is damaged
 * in the source is counted and named, and the rest is copied; without a part of its seal, the seal
 * does not apply in the target.
 *
 * A source that is being written is copied up to some event; the rest is for the next copy. A
 * source that is sealed between two copies lacks events that the target has: the next copy needs an
 * empty store.
 */
import type { StoredToken, TokenRegistry } from '../../auth/tokens.ts';
import type { Log, Receipt } from '../../log/log.ts';
import type { StoreToRead } from '../../stores/driver.ts';
import type { Store } from '../../stores/store.ts';
import { copyDeadLetters, type DeadLettersCopied } from './copy-dead-letters.ts';
import { appendRest, compareEvents, measureLog } from './copy-events.ts';
import { copySeal } from './copy-seal.ts';
import { createDamageFound, type SourceDamage } from './damage-found.ts';
import type { LogFigures } from './log-digest.ts';

export type CopyResult =
  /**
   * Position of the first event of the target that differs from the source: nothing was written.
   */
  | { readonly is: 'other_events'; readonly position: number; readonly damaged: SourceDamage }
  | {
      /** `differs`: the target does not contain what was written. */
      readonly is: 'copied' | 'differs';
      /** Events that the target had before. */
      readonly eventsBefore: number;
      /** Without its damaged events, except those that the target has kept. */
      readonly source: LogFigures;
      readonly target: LogFigures;
      readonly deadLetters: DeadLettersCopied;
      /** The seal of the source is now in force in the target, and was not before. */
      readonly isSealAdded: boolean;
      /** Added sequence numbers of producers that belong to no event. */
      readonly receiptsAdded: number;
      readonly tokens: TokensCopied;
      readonly damaged: SourceDamage;
    };

export type CopyPhase = 'comparing' | 'copying' | 'verifying';

interface CopyOptions {
  readonly from: StoreToRead;
  /** A store that this process has the right to write. */
  readonly to: Pick<Store, 'log' | 'tokens'>;
  /** Must not throw. */
  onEvents?(phase: CopyPhase, events: number): void;
}

/** Contract: rejects when a store fails; the target then has a part of the source. */
export async function copyStore({
  from,
  to,
  onEvents = () => undefined,
}: CopyOptions): Promise<CopyResult> {
  const during = (phase: CopyPhase) => (events: number) => onEvents(phase, events);
  const damage = createDamageFound();
  const logs = { from: from.log, to: to.log, damage };
  const compared = await compareEvents(logs, during('comparing'));
  if (compared.is === 'other_events') return { ...compared, damaged: damage.result() };
  // Read before the events, so that everything they refer to is copied.
  const seal = await from.log.history.seal();
  const receipts = await from.log.receipts();
  const deadLetters = await copyDeadLetters(from.log, to.log, damage.addLetters);
  const source = await appendRest(logs, compared, during('copying'));
  const isSealAdded = await copySeal(seal, logs);
  const receiptsAdded = await copyReceipts(receipts, to.log);
  const tokens = await copyTokens(from.tokens, to.tokens);
  const target = await measureLog(to.log, during('verifying'));
  const isSame = source.events === target.events && source.sha256 === target.sha256;
  return {
    is: isSame ? 'copied' : 'differs',
    eventsBefore: compared.events,
    source,
    target,
    deadLetters,
    isSealAdded,
    receiptsAdded,
    tokens,
    damaged: damage.result(),
  };
}

// Copies receipts that do not follow from the events: the places of refused events, and of events
// deleted on purpose. Without them the target would report gaps.

type Range = Receipt['ranges'][number];

/** Places per append. */
const placesMax = 5_000;

/**
 * Contract: the target has all events of the source that these receipts refer to. Returns the
 * number of added sequence numbers.
 */
async function copyReceipts(receipts: readonly Receipt[], to: Log): Promise<number> {
  const there = new Map((await to.receipts()).map(({ source, ranges }) => [source, ranges]));
  let added = 0;
  for (const { source, ranges } of receipts) {
    for (const sequences of inBatches(without(ranges, there.get(source) ?? []))) {
      const refused = sequences.map((sequence) => ({
        source,
        sequence: String(sequence).padStart(10, '0'),
      }));
      await to.append({ receivedAtMs: 0, events: [], deadLetters: [], refused });
      added += sequences.length;
    }
  }
  return added;
}

/** The numbers of `ranges` that are not in `taken`; both ascending and disjoint. Pure. */
export function without(ranges: readonly Range[], taken: readonly Range[]): Range[] {
  const left: Range[] = [];
  for (const [first, last] of ranges) {
    let next = first;
    for (const [takenFirst, takenLast] of taken) {
      if (takenLast < next) continue;
      if (takenFirst > last) break;
      if (takenFirst > next) left.push([next, takenFirst - 1]);
      next = takenLast + 1;
    }
    if (next <= last) left.push([next, last]);
  }
  return left;
}

function* inBatches(ranges: readonly Range[]): Generator<readonly number[]> {
  for (const [first, last] of ranges) {
    for (let start = first; start <= last; start += placesMax) {
      yield Array.from(
        { length: Math.min(placesMax, last - start + 1) },
        (_, index) => start + index,
      );
    }
  }
}

// Copies tokens from one store to another: their hashes, so that the same texts work there. A token
// revoked in the source is revoked in the target too.

interface TokensCopied {
  readonly added: number;
  /** Already in the target, and revoked in the source since. */
  readonly revoked: number;
  /** Tokens that the target has no room for, or has with the same hash. */
  readonly leftOut: number;
}

async function copyTokens(
  from: Pick<TokenRegistry, 'list'>,
  to: TokenRegistry,
): Promise<TokensCopied> {
  const copied = { added: 0, revoked: 0, leftOut: 0 };
  const there = new Map((await to.list()).map((token) => [token.id, token]));
  // Valid tokens come first, in case there is not room for all.
  const tokens = (await from.list()).toSorted(
    (a, b) => Number(a.revokedAtMs !== null) - Number(b.revokedAtMs !== null),
  );
  for (const token of tokens) {
    const known = there.get(token.id);
    if (known !== undefined) copied.revoked += await revokeToo(token, known, to);
    else if ((await to.create(token)) === 'created') copied.added += 1;
    else copied.leftOut += 1;
  }
  return copied;
}

async function revokeToo(
  { id, revokedAtMs }: StoredToken,
  known: StoredToken,
  to: TokenRegistry,
): Promise<0 | 1> {
  if (revokedAtMs === null || known.revokedAtMs !== null) return 0;
  await to.revoke(id, revokedAtMs);
  return 1;
}
