/**
 * Commits exactly once, without transactions, using a redo record:
 *
 * 1. write the record (redo.ts): nobody reads it yet;
 * 2. decide: one atomic update sets the commit as pending in the generation, if its checkpoint is
 *    `from` and nothing is pending;
 * 3. apply it (apply.ts), which may be repeated;
 * 4. move the checkpoint and clear the pending commit, then remove the record.
 *
 * Killed before 2, the commit never existed. Killed after 2, the next process that looks finishes
 * it. Suspended in between, a process returns to a commit that others have finished, and nothing it
 * still does changes anything.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import type { Projection } from '../../../projections/projection.ts';
import type { Commit } from '../../../views/views.ts';
import { applyChunk } from './apply.ts';
import type {
  GenerationClaim,
  MongodbGenerations,
  Pending,
  StoredGeneration,
} from './generations.ts';
import { type RedoRecords, splitCommit } from './redo.ts';
import type { Chunk } from './redo-chunk.ts';
import { widened } from './wide.ts';

export interface Commits {
  commit(projection: Projection, commit: Commit): Promise<'committed' | 'stale'>;
  /** Finishes the pending commit; returns the generation after that, null when it was dropped. */
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
    // Another process has finished the commit and removed the record meanwhile.
    if (now === null || now.pending?.commit !== pending.commit) return now;
    if (applied < pending.chunks)
      throw new Error(`The redo record of commit ${pending.commit} is incomplete.`);
    await settle(_id, pending);
    return generations.byId(projection, _id);
  }

  async function settle(generation: number, pending: Pending): Promise<boolean> {
    const isSettled = await generations.settle(generation, pending);
    await redo.removeBefore(generation, pending.to);
    return isSettled;
  }

  /** The decided chunks; null when the commit was not decided. */
  async function decide(
    projection: Projection,
    { generation, from }: Commit,
    pending: Pending,
    made: readonly Chunk[],
  ) {
    let chunks = made;
    let amountMax: bigint | null = findLargest(chunks);
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
          // The rows stay unchanged as long as the checkpoint does.
          chunks = await Promise.all(chunks.map((chunk) => widened(database, chunk)));
          await redo.rewrite(chunks);
          amountMax = null;
      }
    }
    return null;
  }

  /** The reason why a commit was not decided; a commit in its way is finished. */
  async function refusalOf(
    projection: Projection,
    claim: GenerationClaim,
  ): Promise<'claimed' | 'stale' | 'was pending' | 'amounts'> {
    const found = await generations.byId(projection, claim.generation);
    if (found === null) return 'stale';
    // It was decided, and the answer was lost.
    if (found.pending?.commit === claim.pending.commit) return 'claimed';
    if (found.pending === null) return found.checkpoint === claim.from ? 'amounts' : 'stale';
    await finish(projection, found);
    return 'was pending';
  }

  return {
    finish,
    async commit(projection, commit) {
      const id = randomUUID();
      const made = splitCommit(projection, commit, id);
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

function findLargest(chunks: readonly Chunk[]): bigint {
  let largest = 0n;
  for (const measures of chunks.flatMap(({ rows }) => rows.map((row) => row.measures))) {
    for (const amount of Object.values(measures)) {
      const size = amount < 0n ? -amount : amount;
      if (size > largest) largest = size;
    }
  }
  return largest;
}
