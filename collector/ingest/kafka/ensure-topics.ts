/** The topics as they should be: creates what is missing, and says how the others differ. */
import type { TopicFound, TopicsAdmin, TopicWish } from './kafka.ts';

export interface TopicsWish {
  readonly events: string;
  readonly deadLetters: string;
  /** There with several partitions only. */
  readonly claims: string;
  /** The events have one for each cell of the ledger. Dead letters have one. */
  readonly partitions: number;
  /** When it is null, there are three, or one for each broker if there are fewer. */
  readonly replication: number | null;
  readonly retentionDays: number;
}

export const retentionDaysDefault = 7;
const replicationDefault = 3;

export interface TopicState {
  readonly topic: string;
  readonly isNew: boolean;
  /** It is null for a topic that is not there and was only looked for. */
  readonly found: TopicFound | null;
  /** Sentences; none: it is as it should be. */
  readonly differences: readonly string[];
}

/** `isDryRun`: nothing is created. Rejects when no broker answers. */
export async function ensureTopics(
  admin: TopicsAdmin,
  wish: TopicsWish,
  { isDryRun = false }: { readonly isDryRun?: boolean } = {},
): Promise<readonly TopicState[]> {
  const wishes = wishesOf(wish, await admin.brokerCount());
  const before = await findAll(admin, wishes);
  const missing = wishes.filter((_, index) => before[index] === null);
  if (missing.length > 0 && !isDryRun) await admin.create(missing);
  const after = isDryRun || missing.length === 0 ? before : await findCreated(admin, wishes);
  return wishes.map((each, index) => ({
    topic: each.topic,
    isNew: before[index] === null && after[index] !== null,
    found: after[index] ?? null,
    differences: differencesOf(after[index] ?? null, each),
  }));
}

function wishesOf(wish: TopicsWish, brokers: number): readonly TopicWish[] {
  const { events, deadLetters, claims, partitions, retentionDays } = wish;
  const replication = wish.replication ?? Math.min(replicationDefault, brokers);
  const common = {
    replication,
    settings: {
      'cleanup.policy': 'delete',
      'compression.type': 'producer',
      'min.insync.replicas': String(Math.max(1, replication - 1)),
      'retention.ms': String(retentionDays * 24 * 60 * 60 * 1000),
    },
  };
  return [
    { topic: events, partitions, ...common },
    { topic: deadLetters, partitions: 1, ...common },
    ...(partitions > 1 ? [{ topic: claims, partitions, ...common }] : []),
  ];
}

function findAll(
  admin: TopicsAdmin,
  wishes: readonly TopicWish[],
): Promise<readonly (TopicFound | null)[]> {
  return Promise.all(wishes.map(({ topic, settings }) => admin.find(topic, Object.keys(settings))));
}

const attemptsMax = 50;
const attemptPauseMs = 100;

/** A broker answers for a topic a moment after it has created it. */
async function findCreated(
  admin: TopicsAdmin,
  wishes: readonly TopicWish[],
): Promise<readonly (TopicFound | null)[]> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await findAll(admin, wishes).catch((error: unknown) => {
      if (attempt >= attemptsMax) throw error;
      return [null];
    });
    if (attempt >= attemptsMax || found.every((each) => each !== null)) return found;
    await new Promise((resolve) => setTimeout(resolve, attemptPauseMs));
  }
}

/** More replicas or longer retention than wished for are no difference. */
function differencesOf(found: TopicFound | null, wish: TopicWish): string[] {
  if (found === null) return ['there is no such topic'];
  const wrong: string[] = [];
  if (found.partitions !== wish.partitions)
    wrong.push(`it has ${found.partitions} partitions, not ${wish.partitions}`);
  if (found.replication < wish.replication)
    wrong.push(`it has ${found.replication} replicas, not ${wish.replication}`);
  for (const [name, wanted] of Object.entries(wish.settings)) {
    const value = found.settings[name] ?? '';
    if (!isEnough(name, value, wanted)) wrong.push(`${name} is ${value}, not ${wanted}`);
  }
  return wrong;
}

function isEnough(name: string, value: string, wanted: string): boolean {
  if (value === wanted) return true;
  // Without a bound, `retention.ms` is -1.
  if (name === 'retention.ms') return value === '-1' || Number(value) >= Number(wanted);
  return name === 'min.insync.replicas' && Number(value) >= Number(wanted);
}
