/** Whether a topic has a partition for each cell of the ledger. */

/** Throws where there is no partition for each cell. */
export function checkPartitions(
  topic: string,
  partitions: number,
  { cells, note }: { readonly cells: number; note(message: string): void },
): void {
  const both = `The topic ${topic} has ${partitions} partitions, and the ledger ${cells} cells: `;
  if (partitions < cells) throw new Error(`${both}${tooFew}`);
  if (partitions > cells) note(`${both}${tooMany}`);
}

const tooFew =
  'nothing is taken in. Use another prefix, or copy the ledger to a store with as many cells.';
const tooMany = 'what is not in the partition of its cell takes the way through Kafka twice.';
