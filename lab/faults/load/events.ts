/**
 * The events that the harness offers. Each follows from the run's seed, its stream and its number,
 * so whoever knows an id can say what the event was and what it cost, without asking the ledger.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { spendOf } from '../../../test/collector/projections/support/given.ts';
import { exampleEvent } from '../../../test/collector/support/events.ts';
import { type Dice, dice } from '../../../test/hosts/support/machine/dice.ts';

/** A stream belongs to one producer; its numbers begin at 1. */
export interface Place {
  readonly stream: number;
  readonly number: number;
}

/** What an event adds to the figures; null: it is no record of spend. */
export interface Amounts {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costNanoUsd: number;
}

export interface Planned {
  readonly id: string;
  readonly session: string;
  /** What it says of its session's project, if it is an attribution. */
  readonly project: string | null;
  readonly amounts: Amounts | null;
  readonly event: LedgerEvent;
  /**
   * The same entry as an importer finds it in the file of a fork whose origin it does not know;
   * null: nobody forked there. It counts in `session` alone, whichever of the two came first.
   */
  readonly copy: LedgerEvent | null;
}

const sessionEvents = 20;
/** One of so many turns is in a fork, too: between cells, settling one takes three ways. */
const turnsPerCopy = 64;
const models = ['claude-sonnet-5', 'claude-opus-5', 'gpt-6', 'local-model'] as const;
const projects = ['shop', 'billing', 'ledger'] as const;

/** Each has a moment of its own, which is what the first twelve digits of an id are. */
function idOf({ stream, number }: Place): string {
  const [high, low] = [stream, Math.floor(number / 2 ** 16)].map(fourDigits);
  return `${high}${low}-${fourDigits(number % 2 ** 16)}-8000-8000-000000000000`;
}

function fourDigits(number: number): string {
  return number.toString(16).padStart(4, '0');
}

/** Null: no id of the harness. */
export function placeOf(id: string): Place | null {
  const [, stream, high, low] =
    /^([0-9a-f]{4})([0-9a-f]{4})-([0-9a-f]{4})-8000-8000-0{12}$/.exec(id) ?? [];
  if (stream === undefined) return null;
  return { stream: Number.parseInt(stream, 16), number: Number.parseInt(`${high}${low}`, 16) };
}

export function planned(seed: number, place: Place): Planned {
  const { stream, number } = place;
  const sessionNumber = Math.floor((number - 1) / sessionEvents);
  const session = `session-${stream}-${sessionNumber}`;
  const ofSession = dice(`session ${stream} ${sessionNumber}`, seed);
  const project = projects[ofSession.below(projects.length)] ?? 'shop';
  // Somewhere in the session: what was counted before it moves to its project.
  const isAttribution = (number - 1) % sessionEvents === ofSession.below(sessionEvents);
  const base = {
    ...{ number, source: `/producers/${stream}`, subject: session },
    time: new Date(firstMs + (stream % 500) * 3_600_000 + number * 1_000).toISOString(),
  };
  const ofEvent = dice(`event ${stream} ${number}`, seed);
  const amounts = isAttribution ? null : amountsOf(ofEvent);
  const id = idOf(place);
  const event = isAttribution
    ? exampleEvent({ ...base, type: 'pi.session.attributed.v1', data: attributionTo(project) })
    : exampleEvent({ ...base, data: turnData(place, amounts) });
  const isCopied = amounts !== null && ofEvent.below(turnsPerCopy) === 0;
  return {
    ...{ id, session, amounts },
    project: isAttribution ? project : null,
    event: { ...event, id },
    copy: isCopied ? copyOf({ ...event, id }) : null,
  };
}

function copyOf({ sequence, ...event }: LedgerEvent): LedgerEvent {
  const copied = { source: '/importers/pi', subject: `fork-of-${event.subject}` };
  return { ...event, ...copied, ownership: 'assumed' } as LedgerEvent;
}

const firstMs = Date.parse('2026-10-01T09:00:00Z');

function amountsOf({ below }: Dice): Amounts {
  return {
    model: models[below(models.length)] ?? models[0],
    inputTokens: below(5_000),
    outputTokens: below(2_000),
    cacheReadTokens: below(100_000),
    cacheWriteTokens: below(3_000),
    costNanoUsd: below(2_000_000_000),
  };
}

function turnData({ stream, number }: Place, amounts: Amounts | null): object {
  return { entryId: `e${stream}-${number}`, spend: spendOf({ ...amounts }) };
}

function attributionTo(name: string): object {
  return {
    project: { name, remote: null, branch: 'main', worktree: null },
    billing: { anthropic: 'metered' },
  };
}
