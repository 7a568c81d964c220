/**
 * Leaves a group in the name of the consumer before: the group's coordinator waits for a member
 * that is gone until its session ends, and lets nobody else begin. KafkaJS forgets who it was when
 * a broker is restarted or a connection ends, and offers no way to say so; the cluster that it
 * hands to assigners does.
 */
import type { Cluster, PartitionAssigner } from 'kafkajs';

export interface Membership {
  /** The assigner, in a consumer whose cluster `leaveFormer` is to ask. */
  seenBy(assigner: PartitionAssigner): PartitionAssigner;
  /** `memberId`: as the coordinator calls who has joined. */
  began(memberId: string): void;
  /**
   * Makes the member that began last leave. Rejects when the coordinator does not answer: nobody
   * could join either.
   */
  leaveFormer(): Promise<void>;
}

/** Its types leave this request out. */
interface Coordinator {
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>;
}

export function rememberMembership(groupId: string): Membership {
  let cluster: Cluster | null = null;
  let former: string | null = null;
  return {
    seenBy: (assigner) => (config) => {
      cluster = config.cluster;
      return assigner(config);
    },
    began(memberId) {
      former = memberId;
    },
    async leaveFormer() {
      if (former === null || cluster === null) return;
      const coordinator: unknown = await cluster.findGroupCoordinator({ groupId });
      await (coordinator as Coordinator)
        .leaveGroup({ groupId, memberId: former })
        .catch((error: unknown) => {
          // Otherwise it has left already, or what is wrong here need not be wrong for a join.
          if (isPassing(error)) throw error;
        });
      former = null;
    },
  };
}

/** A broker that is loading, a connection that ended: a join would meet with it, too. */
function isPassing(error: unknown): boolean {
  return (error as { readonly retriable?: unknown } | null)?.retriable === true;
}
