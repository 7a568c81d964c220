/**
 * The computation alone, and the fold, in a process of its own, by CPU time; prints JSON. Every
 * round begins with the texts of the chunks, as after a start.
 *
 *     node computing.ts <turns> <rounds>
 */

import * as contexts from '../../../collector/answers/contexts/session-context.ts';
import type { StoredEvent } from '../../../collector/log/stored-event.ts';
import type { ContextChunk } from '../../../collector/projections/context/chunk.ts';
import { context } from '../../../collector/projections/context.ts';
import { createLoad, session } from './session.ts';

export interface ContextFigures {
  readonly events: number;
  readonly chunks: number;
  /** One per round. */
  readonly decodeMs: readonly number[];
  readonly computeMs: readonly number[];
  readonly foldUsPerEvent: readonly number[];
  readonly parseUsPerEvent: readonly number[];
}

const batchEvents = 500;

function main([turns = '0', rounds = '0']: readonly string[]): void {
  const load = createLoad();
  const texts = Array.from({ length: Number(turns) }, () => load.turn())
    .flat()
    .map((event) => JSON.stringify(event));
  const figures = {
    decodeMs: [] as number[],
    computeMs: [] as number[],
    foldUsPerEvent: [] as number[],
    parseUsPerEvent: [] as number[],
  };
  let bodies: readonly string[] = [];
  for (let round = 0; round <= Number(rounds); round++) {
    const [parsed, parseMs] = timed(() => texts.map(toStored));
    const [folded, foldMs] = timed(() => fold(parsed));
    bodies = folded;
    const [chunks, decodeMs] = timed(() => bodies.map((body) => context.decode(body)));
    const [, computeMs] = timed(() => compute(chunks));
    // The first round warms up.
    if (round === 0) continue;
    figures.parseUsPerEvent.push((parseMs / texts.length) * 1_000);
    figures.foldUsPerEvent.push((foldMs / texts.length) * 1_000);
    figures.decodeMs.push(decodeMs);
    figures.computeMs.push(computeMs);
  }
  console.log(
    JSON.stringify({
      events: texts.length,
      chunks: bodies.length,
      ...figures,
    } satisfies ContextFigures),
  );
}

function toStored(text: string, index: number): StoredEvent {
  return { position: index + 1, receivedAtMs: 0, event: JSON.parse(text) };
}

/** Like the subscription: changes of a batch are written as text at its end. */
function fold(events: readonly StoredEvent[]): readonly string[] {
  const chunks = new Map<string, ContextChunk>();
  const bodies = new Map<string, string>();
  for (let from = 0; from < events.length; from += batchEvents) {
    const changed = new Set<string>();
    for (const stored of events.slice(from, from + batchEvents)) {
      const key = context.key(stored);
      if (key === null) continue;
      chunks.set(
        key,
        context.evolve(chunks.get(key) ?? context.initial(key), stored, () => undefined),
      );
      changed.add(key);
    }
    for (const key of changed) bodies.set(key, context.encode(chunks.get(key) as ContextChunk));
  }
  return [...bodies.values()];
}

/** Everything that the route computes. */
function compute(chunks: readonly ContextChunk[]): number {
  const asked = contexts.createSessionContext([session], [chunks], 'pi');
  const { points, audit, cacheMisses, largestResults, tree } = asked;
  return (
    points().length +
    audit().length +
    cacheMisses().length +
    largestResults().length +
    asked.compositionAt(tree.leaf).totalTokens
  );
}

/** CPU time, so that a busy machine makes little difference. */
function timed<Result>(work: () => Result): readonly [result: Result, ms: number] {
  const started = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(started);
  return [result, (user + system) / 1_000];
}

if (import.meta.main) main(process.argv.slice(2));
