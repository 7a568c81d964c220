/** What this program wants of Kafka. Types only: kafkajs.ts implements them. */

export interface KafkaSettings {
  /** Hosts and ports. */
  readonly brokers: readonly string[];
  /** The topics are `<prefix>.events`, `<prefix>.dead-letters` and `<prefix>.claims`. */
  readonly topicPrefix: string;
  /** It is null when brokers ask for no name. */
  readonly sasl: SaslLogin | null;
  /** Connections are not encrypted when it is null. */
  readonly tls: { readonly caFile: string | null } | null;
}

export interface SaslLogin {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

export interface OutgoingRecord {
  readonly topic: string;
  readonly partition: number;
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Contract: `send` resolves when all in-sync replicas have each of the records; until then nothing
 * is promised. Records of a send that was rejected or repeated may be there, once or several times.
 * Without a broker it rejects within half a minute, and works again once there is one.
 */
export interface Producing {
  send(records: readonly OutgoingRecord[]): Promise<void>;
  /** 0: there is no such topic. Rejects while no broker answers. */
  partitionsOf(topic: string): Promise<number>;
  close(): Promise<void>;
}

export interface IncomingRecord {
  readonly topic: string;
  readonly partition: number;
  /** Decimal: the place in its partition. */
  readonly offset: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The topic's retention deleted these records of a partition before they were taken in. */
export interface LostRecords {
  readonly topic: string;
  readonly partition: number;
  readonly records: number;
}

export interface ConsumeOptions {
  readonly group: string;
  readonly topics: readonly string[];
  /**
   * Called with records of one partition, in their order, and for one partition once at a time.
   * When it resolves, their offset is committed; when it rejects, they come again. `signal`: the
   * partition was taken away, or consuming stops; what is not done by then need not be.
   */
  handle(records: readonly IncomingRecord[], signal: AbortSignal): Promise<void>;
  /**
   * Called before `handle`, for the same partition. Null: it may be called. Otherwise nothing more
   * is fetched of the partition until this resolves or rejects; others are not held up.
   */
  ready?(partition: number, signal: AbortSignal): Promise<void> | null;
  /**
   * Called with all partitions that this member has from now on, by topic; partitions of one number
   * go to one member. None are left when the group is out of reach.
   */
  onAssigned?(partitions: Readonly<Record<string, readonly number[]>>): void;
  /** Called when a broker has answered a fetch: the consumer is at work. */
  onFetched?(): void;
  /** Called before `handle`, with what is missing before its records. */
  onLost?(lost: LostRecords): void;
  /** How long a member that was killed keeps its partitions from the others; default: 10 s. */
  readonly sessionMs?: number;
  onError(error: unknown): void;
}

/**
 * Contract: comes back by itself whatever a broker does, until it is stopped. Partitions that one
 * broker leads are handled in rounds: the next one is fetched when all of a round are done. So no
 * `handle` may wait for another record of the same group.
 */
export interface Consuming {
  /** Partitions held now, as `topic/partition`. */
  assigned(): readonly string[];
  stop(): Promise<void>;
}

export interface TopicWish {
  readonly topic: string;
  readonly partitions: number;
  readonly replication: number;
  /** Settings by Kafka's names, such as `retention.ms`. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface TopicFound extends TopicWish {
  /** First offset and the one after the last, by partition. */
  readonly offsets: readonly (readonly [first: number, end: number])[];
}

export interface TopicsAdmin {
  /** Resolves to null when there is no such topic. `settings` names those that are wanted. */
  find(topic: string, settings: readonly string[]): Promise<TopicFound | null>;
  /** What another process has created meanwhile is left as it is. */
  create(wishes: readonly TopicWish[]): Promise<void>;
  brokerCount(): Promise<number>;
  close(): Promise<void>;
}

export interface Kafka {
  /** Connects with the first send. */
  openProducing(): Producing;
  startConsuming(options: ConsumeOptions): Consuming;
  /** Rejects when no broker answers. */
  openTopics(): Promise<TopicsAdmin>;
}
