/** Two gateways, Kafka, two workers and a MongoDB-compatible server, as processes here. */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type LocalBroker, startLocalBroker } from '../../../test/services/kafka/local-broker.ts';
import { uriOf } from '../../../test/services/mongodb/databases.ts';
import { findServer } from '../../../test/services/mongodb/find-server.ts';
import { type CollectorProcess, startCollector } from '../collector-process.ts';
import { bytesOf, databasePrograms } from '../growth/stores.ts';
import { cpuSecondsOfDescendants, residentBytesOfDescendants } from '../proc.ts';
import { withTemporaryDirectory } from '../temporary-directory.ts';

export const partNames = ['gateways', 'Kafka', 'workers', 'database'] as const;
export type Parts = Readonly<Record<(typeof partNames)[number], number>>;

export interface Measured {
  readonly atMs: number;
  readonly cpuSeconds: Parts;
  readonly residentBytes: Parts;
  readonly kafkaBytes: number;
  readonly databaseBytes: number;
  /** Of all events that were sent, as text. */
  readonly jsonBytes: number;
}

export interface Chain {
  readonly gateways: readonly string[];
  readonly token: string;
  /** What was sent, so that it can be compared with what is stored. */
  countJson(bytes: number): void;
  measure(): Promise<Measured>;
  /** Resolves when every view has so many; rejects if they have more, or not after a while. */
  folded(events: number): Promise<void>;
}

export async function withChain<Result>(use: (chain: Chain) => Promise<Result>): Promise<Result> {
  const found = await findServer(process.env, { isSynced: true });
  if (found.kind === 'none') throw new Error(found.reason);
  const broker = await startLocalBroker(process.env, { flags: [] });
  const started: CollectorProcess[] = [];
  try {
    return await withTemporaryDirectory(async (directory) => {
      const store = uriOf(found.server.uri, 'bench_organisation');
      const start = await starting({ directory, store, broker, started });
      const workers = [await start('worker'), await start('worker')];
      const token = await createToken(join(directory, 'worker-1'));
      const gateways = [await start('gateway'), await start('gateway')];
      try {
        return await use(chainOf({ workers, gateways, token, broker, store }));
      } finally {
        // While the directories are there.
        await Promise.all(started.splice(0).map((each) => each.stop()));
      }
    });
  } finally {
    await broker.stop();
    await found.server.stop();
  }
}

interface Starting {
  readonly directory: string;
  readonly store: string;
  readonly broker: LocalBroker;
  readonly started: CollectorProcess[];
}

async function starting({ directory, store, broker, started }: Starting) {
  return async (role: 'gateway' | 'worker'): Promise<CollectorProcess> => {
    const home = join(directory, `${role}-${started.length + 1}`);
    mkdirSync(home);
    const collector = await startCollector({
      ...{ home, store, nodeOptions: ['--max-semi-space-size=16'] },
      // A standby and a gateway with a store that is not there yet count as started, too.
      isReady: ({ ready, role: now }) => ready || now === 'standby' || now === 'gateway',
      environment: {
        PI_LEDGER_ROLE: role,
        PI_LEDGER_KAFKA: `kafka://${broker.address}`,
        ...(role === 'gateway' && { PI_LEDGER_AUTH: 'required' }),
      },
    });
    started.push(collector);
    return collector;
  };
}

/** By the program that commands find on this machine. */
async function createToken(home: string): Promise<string> {
  const { token, url } = JSON.parse(readFileSync(join(home, 'collector.json'), 'utf8')) as {
    readonly token: string;
    readonly url: string;
  };
  const answer = await fetch(`${url}/v1/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'ada', scopes: ['ingest'] }),
  });
  return ((await answer.json()) as { readonly token: string }).token;
}

interface ChainParts {
  readonly workers: readonly CollectorProcess[];
  readonly gateways: readonly CollectorProcess[];
  readonly token: string;
  readonly broker: LocalBroker;
  readonly store: string;
}

function chainOf({ workers, gateways, token, broker, store }: ChainParts): Chain {
  let jsonBytes = 0;
  const sumOf = async (
    of: readonly CollectorProcess[],
    pick: (process: CollectorProcess) => Promise<number>,
  ): Promise<number> => (await Promise.all(of.map(pick))).reduce((sum, each) => sum + each, 0);
  return {
    gateways: gateways.map(({ url }) => url),
    token,
    countJson(bytes) {
      jsonBytes += bytes;
    },
    async measure() {
      return {
        atMs: performance.now(),
        cpuSeconds: {
          gateways: await sumOf(gateways, (each) => each.cpuSeconds()),
          workers: await sumOf(workers, (each) => each.cpuSeconds()),
          Kafka: await cpuSecondsOfDescendants(['java']),
          database: await cpuSecondsOfDescendants(databasePrograms),
        },
        residentBytes: {
          gateways: await sumOf(gateways, (each) => each.residentBytes()),
          workers: await sumOf(workers, (each) => each.residentBytes()),
          Kafka: await residentBytesOfDescendants(['java']),
          database: await residentBytesOfDescendants(databasePrograms),
        },
        kafkaBytes: segmentBytesIn(broker.dataDirectory),
        databaseBytes: await bytesOf(store),
        jsonBytes,
      };
    },
    async folded(events) {
      // The one that leads folds; the other reads what that wrote.
      await workers[0]?.folded(events);
    },
  };
}

/** Without indexes, which have a fixed size. */
function segmentBytesIn(dataDirectory: string): number {
  return readdirSync(dataDirectory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith('pi-ledger.'))
    .flatMap(({ name }) => readdirSync(join(dataDirectory, name)).map((file) => join(name, file)))
    .filter((file) => file.endsWith('.log'))
    .reduce((sum, file) => sum + statSync(join(dataDirectory, file)).size, 0);
}
