/**
 * Answers that a host printed. They count, as records of unknown cost, while nothing else tells of
 * the session: neither the start that its file or its process reports, nor an answer of it.
 *
 * Guarantees: a function of the set of events, up to the limits. Pure.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { unwrittenMeasures } from '../usage.ts';
import { toMinute } from './calendar.ts';
import { compareText } from './compare-text.ts';
import { type LineName, noVariant } from './line-name.ts';
import type { Counting } from './regroup.ts';
import { addMeasures } from './spending.ts';

export interface Streamed {
  /** By provider, model and minute. */
  readonly answers: Map<string, Printed>;
  isCounted: boolean;
}

interface Printed {
  readonly provider: string;
  readonly model: string;
  readonly minute: number;
  count: number;
}

/** What tells of the session besides. */
interface Known {
  readonly started: object | null;
  readonly counts: { readonly turns: number };
}

/** Minutes and models; each takes some 50 bytes of the document. */
const answersMax = 5_000;

export function isFull({ answers }: Streamed): boolean {
  return answers.size >= answersMax;
}

export function addStreamed(
  { answers, isCounted }: Streamed,
  { time, data: { printed } }: LedgerEvent<'pi.answer.streamed.v1'>,
  counting: Counting,
): void {
  const { provider, model } = printed;
  const said = { provider: provider ?? '', model: model ?? '', minute: toMinute(time), count: 0 };
  const known = answers.get(printedKey(said)) ?? said;
  answers.set(printedKey(said), known);
  known.count += 1;
  change(counting, known, isCounted ? 1 : 0);
}

/** Call after each event. Cells stay, so that the order of events leaves no trace. */
export function settleStreamed(state: Known & WithStreamed, counting: Counting): void {
  const { streamed } = state;
  const isCounted = !isKnown(state);
  if (isCounted === streamed.isCounted) return;
  streamed.isCounted = isCounted;
  for (const printed of streamed.answers.values())
    change(counting, printed, isCounted ? printed.count : -printed.count);
}

interface WithStreamed {
  readonly streamed: Streamed;
}

function isKnown({ started, counts }: Known): boolean {
  return started !== null || counts.turns > 0;
}

function change(counting: Counting, { provider, model, minute }: Printed, by: number): void {
  const name: LineName = { ...noVariant, provider, model, kind: 'streamed_answer' };
  addMeasures(counting, name, minute, unwrittenMeasures('streamedAnswers', by));
}

function printedKey({ provider, model, minute }: Printed): string {
  return JSON.stringify([provider, model, minute]);
}

/** By provider and model: minutes with their counts, in turns. */
export type StreamedBody = readonly (readonly [
  provider: string,
  model: string,
  ...minutes: number[],
])[];

/** Nothing where there are none. */
export function encodeStreamed({ answers }: Streamed): { streamed?: StreamedBody } {
  if (answers.size === 0) return {};
  const sorted = [...answers.values()].sort(
    (left, right) =>
      compareText(left.provider, right.provider) ||
      compareText(left.model, right.model) ||
      left.minute - right.minute,
  );
  const families = Map.groupBy(sorted, ({ provider, model }) => JSON.stringify([provider, model]));
  const streamed = [...families].map(([name, printed]) => {
    const [provider, model] = JSON.parse(name) as [string, string];
    const minutes = printed.flatMap(({ minute, count }) => [minute, count]);
    return [provider, model, ...minutes] as const;
  });
  return { streamed };
}

export function decodeStreamed(body: StreamedBody, known: Known): Streamed {
  const answers = new Map<string, Printed>();
  for (const [provider, model, ...minutes] of body)
    for (let at = 0; at < minutes.length; at += 2) {
      const [minute = 0, count = 0] = minutes.slice(at, at + 2);
      const printed = { provider, model, minute, count };
      answers.set(printedKey(printed), printed);
    }
  return { answers, isCounted: !isKnown(known) };
}
