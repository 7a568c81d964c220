import type { TopicState } from '../../ingest/kafka/ensure-topics.ts';
import type { KafkaSettings } from '../../ingest/kafka/kafka.ts';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../command.ts';

interface TopicsOptions {
  readonly partitions?: number;
  readonly replication?: number;
  readonly retentionDays: number;
  readonly dryRun?: boolean;
  readonly json?: true;
}

/** `pi-ledger topics`: creates the topics between gateways and workers, or says how they differ. */
export const topicsCommand: CliCommand = {
  examples: {
    'store topics': [
      ['pi-ledger store topics', 'create what is missing, and check what is there'],
      ['pi-ledger store topics --dry-run', 'only check'],
    ],
  },
  define(program, terminal, exit) {
    program
      .command('topics')
      .description('create or check the topics in Kafka, between gateways and workers')
      .option(
        '--partitions <n>',
        'of the events (default: "cells", or 1)',
        wholeNumber('--partitions', 10_000),
      )
      .option('--replication <n>', 'copies of each (default: 3)', wholeNumber('--replication', 100))
      .option('--retention-days <n>', 'kept this long', wholeNumber('--retention-days', 36_500), 7)
      .option('--dry-run', 'create nothing')
      .option('--json', 'print JSON')
      .action(async (options: TopicsOptions) => exit(await topics(options, terminal)));
  },
};

async function topics(options: TopicsOptions, terminal: Terminal): Promise<ExitCode> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { kafka, cells } = loadCollectorConfig(terminal.env);
  if (kafka === null)
    throw new UsageError('No brokers are set: PI_LEDGER_KAFKA, or "kafka" in config.json');
  const states = await ask(kafka, options, options.partitions ?? cells ?? 1);
  if (options.json) terminal.printJson({ topics: states });
  else for (const line of states.flatMap(toLines)) terminal.print(line);
  return states.every(({ differences }) => differences.length === 0) ? 0 : 1;
}

async function ask(
  kafka: KafkaSettings,
  { dryRun = false, replication, retentionDays }: TopicsOptions,
  partitions: number,
): Promise<readonly TopicState[]> {
  const { createKafka } = await import('../../ingest/kafka/kafkajs.ts');
  const { ensureTopics } = await import('../../ingest/kafka/ensure-topics.ts');
  const { topicsOf } = await import('../../ingest/kafka/records.ts');
  const { LedgerError } = await import('../../errors.ts');
  const admin = await createKafka(kafka)
    .openTopics()
    .catch((cause: Error) => {
      const message = `No broker answers at ${kafka.brokers.join(', ')}: ${cause.message}`;
      throw new LedgerError('broker_unavailable', { message, cause });
    });
  try {
    const wish = { ...topicsOf(kafka), partitions, replication: replication ?? null };
    return await ensureTopics(admin, { ...wish, retentionDays }, { isDryRun: dryRun });
  } finally {
    await admin.close();
  }
}

function toLines({ topic, isNew, found, differences }: TopicState): string[] {
  const [what, records] = [isNew ? 'created' : 'found', found === null ? 0 : recordsIn(found)];
  const head =
    found === null
      ? `${topic}: missing`
      : `${topic}: ${what}, ${found.partitions} partitions, ${found.replication} replicas, ` +
        `${records} records`;
  return [head, ...(found === null ? [] : differences.map((each) => `  ${each}`))];
}

function recordsIn({ offsets }: NonNullable<TopicState['found']>): number {
  return offsets.reduce((sum, [first, end]) => sum + end - first, 0);
}

function wholeNumber(option: string, max: number) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= 1 && number <= max) return number;
    throw new UsageError(`${option}: expected a whole number from 1 to ${max}, got "${text}"`);
  };
}
