/**
 * Commits exactly once, without transactions, by a redo record:
 *
 * 1. write the record (mongodb-redo.ts): nobody looks at it yet;
 * 2. decide: in one atomic update the generation, when its checkpoint is `from` and nothing is
 *    pending, takes the commit as pending;
 * 3. apply it (mongodb-apply.ts), which may be repeated;
 * 4. move the checkpoint and clear what was pending, then remove the record.
 *
 * Killed before 2, it was never there. Killed after, the next who looks finishes it. Paused in
 * between, it comes back to a commit that others have finished, and all that it still does changes
 * nothing.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import type { Projection } from '../../../projections/projection.ts';
import type { Commit } from '../../../views/views.ts';
import { applyChunk } from './apply.ts';
import type { Claim, MongodbGenerations, Pending, StoredGeneration } from './generations.ts';
import { type Chunk, chunksOf, type RedoRecords } from './redo.ts';
import { widened } from './wide.ts';

export interface Commits {
  commit(projection: Projection, commit: Commit): Promise<'committed' | 'stale'>;
  /** Finishes what is pending; the generation as it is then, null when it is dropped. */
  finish(projection: Projection, generation: StoredGeneration): Promise<StoredGeneration | null>;
}

const claimsMax = 5;

export function createCommits(
  database: Db,
  generations: MongodbGenerations,
  redo: RedoRecords,
): Commits {
  async function finish(
    projection: Projection,
    { _id, pending }: StoredGeneration,
  ): Promise<StoredGeneration | null> {
    if (pending === null) return generations.byId(projection, _id);
    let applied = 0;
    for await (const chunk of redo.read(pending.commit)) {
      await applyChunk(database, projection, chunk, pending.to);
      applied += 1;
    }
    const now = await generations.byId(projection, _id);
    // Another one has finished it, and removed the record meanwhile.
    if (now === null || now.pending?.commit !== pending.commit) return now;
    if (applied < pending.chunks)
      throw new Error(`The redo record of commit ${pending.commit} is not complete.`);
    await settle(_id, pending);
    return generations.byId(projection, _id);
  }

  async function settle(generation: number, pending: Pending): Promise<boolean> {
    const isSettled = await generations.settle(generation, pending);
    await redo.removeBefore(generation, pending.to);
    return isSettled;
  }

  /** The chunks as they are decided; null when they are not. */
  async function decide(
    projection: Projection,
    { generation, from }: Commit,
    pending: Pending,
    made: readonly Chunk[],
  ) {
    let chunks = made;
    let amountMax: bigint | null = largestOf(chunks);
    for (let attempt = 0; attempt < claimsMax; attempt++) {
      const claim = { generation, from: BigInt(from), pending, amountMax };
      if (await generations.claim(projection, claim)) return chunks;
      switch (await refusalOf(projection, claim)) {
        case 'claimed':
          return chunks;
        case 'stale':
          return null;
        case 'was pending':
          break;
        case 'amounts':
          // As long as the checkpoint stays there, so do the rows.
          chunks = await Promise.all(chunks.map((chunk) => widened(database, chunk)));
          await redo.rewrite(chunks);
          amountMax = null;
      }
    }
    return null;
  }

  /** Why a claim was not taken. What stood in its way is finished. */
  async function refusalOf(
    projection: Projection,
    claim: Claim,
  ): Promise<'claimed' | 'stale' | 'was pending' | 'amounts'> {
    const found = await generations.byId(projection, claim.generation);
    if (found === null) return 'stale';
    // It was taken, and the answer lost.
    if (found.pending?.commit === claim.pending.commit) return 'claimed';
    if (found.pending === null) return found.checkpoint === claim.from ? 'amounts' : 'stale';
    await finish(projection, found);
    return 'was pending';
  }

  return {
    finish,
    async commit(projection, commit) {
      const id = randomUUID();
      const made = chunksOf(projection, commit, id);
      const pending: Pending = { commit: id, to: BigInt(commit.to), chunks: made.length };
      await redo.write(made);
      const chunks = await decide(projection, commit, pending, made);
      if (chunks === null) {
        await redo.remove(id);
        return 'stale';
      }
      for (const chunk of chunks) await applyChunk(database, projection, chunk, pending.to);
      if (await settle(commit.generation, pending)) return 'committed';
      return (await generations.byId(projection, commit.generation)) === null
        ? 'stale'
        : 'committed';
    },
  };
}

function largestOf(chunks: readonly Chunk[]): bigint {
  let largest = 0n;
  for (const measures of chunks.flatMap(({ rows }) => rows.map((row) => row.measures))) {
    for (const amount of Object.values(measures)) {
      const size = amount < 0n ? -amount : amount;
      if (size > largest) largest = size;
    }
  }
  return largest;
}
