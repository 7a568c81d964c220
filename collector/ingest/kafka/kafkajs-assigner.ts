/**
 * Divides partitions among the members of a group by their numbers, for KafkaJS: partitions of one
 * number go to one member, whatever the topic. The library's own assigner would give what belongs
 * to one cell to several workers.
 */
import kafkajs, { type Assignment, type PartitionAssigner } from 'kafkajs';

const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol;

/** Members of a group have to name the same one. */
const name = 'pi-ledger-by-partition';
const version = 1;
const userData = Buffer.alloc(0);

export const byPartition: PartitionAssigner = ({ cluster }) => ({
  name,
  version,
  async assign({ members, topics }) {
    const partitions = new Map(
      topics.map((topic) => [
        topic,
        cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId),
      ]),
    );
    const ids = members.map(({ memberId }) => memberId);
    return [...assignmentsOf(ids, partitions)].map(([memberId, assignment]) => ({
      memberId,
      memberAssignment: MemberAssignment.encode({ version, assignment, userData }),
    }));
  },
  protocol: ({ topics }) => ({
    name,
    metadata: MemberMetadata.encode({ version, topics, userData }),
  }),
});

/** Each member has an assignment, if an empty one. Pure. */
export function assignmentsOf(
  memberIds: readonly string[],
  partitions: ReadonlyMap<string, readonly number[]>,
): ReadonlyMap<string, Assignment> {
  const sorted = memberIds.toSorted();
  return new Map(
    sorted.map((memberId, place) => [
      memberId,
      Object.fromEntries(
        [...partitions].map(([topic, numbers]) => [
          topic,
          numbers.filter((number) => number % sorted.length === place),
        ]),
      ),
    ]),
  );
}
