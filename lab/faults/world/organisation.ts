/**
 * What a company runs (docs/kafka.md): two gateways, a broker, workers and a database, each behind
 * a bad network; agents send to a gateway each and keep their spool on a disk of their own.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { canMount, mountSmallDisk } from '../../../test/hosts/support/machine/disks.ts';
import { startLocalBroker } from '../../../test/services/kafka/local-broker.ts';
import type { IsRequest } from '../../../test/support/fault-proxy/network.ts';
import { type FaultProxy, startFaultProxy } from '../../../test/support/fault-proxy.ts';
import { databaseVictim, openDatabase, residentBytesMax } from './database.ts';
import { diskBytes } from './embedded.ts';
import { createProgram, type Program } from './program.ts';
import { createToken } from './token.ts';
import { until } from './until.ts';
import { programsVictim, startAgain } from './victims.ts';
import { isPost, type OpenWorld, type Victim } from './world.ts';

/** Of Kafka's protocol: four bytes of size, then the kind of request, which is 0 for a produce. */
const isProduce: IsRequest = (chunk) => chunk.length > 8 && chunk.readInt16BE(4) === 0;

/** Of two workers one takes in and folds, the other takes over. */
export const openOrganisation: OpenWorld = (options) =>
  openOrganisationOf({ cells: 1, workerCount: 2 }, options);
/** Workers share the cells of the ledger, so all take in and fold, some of them two. */
export const openCells: OpenWorld = (options) =>
  openOrganisationOf({ cells: 4, workerCount: 3 }, options);

async function openOrganisationOf(
  { cells, workerCount }: { readonly cells: number; readonly workerCount: number },
  { directory }: Parameters<OpenWorld>[0],
): ReturnType<OpenWorld> {
  const agentsHome = join(directory, 'agents');
  mkdirSync(agentsHome, { mode: 0o700 });
  const disk = canMount() ? mountSmallDisk(agentsHome, diskBytes) : null;
  const unmount = (): void => disk?.unmount();
  process.prependOnceListener('exit', unmount);
  const broker = await startLocalBroker(process.env, { isRequest: isProduce });
  const database = await openDatabase();
  const kafka = `kafka://${broker.proxiedAddress}/faults`;
  const program = (role: 'gateway' | 'worker', index: number, store: string, port: Listening) =>
    createProgram({
      ...{ name: `${role} ${index}`, home: join(directory, `${role}-${index}`) },
      clockFile: join(directory, `${role}-${index}.clock`),
      env: {
        ...{ PI_LEDGER_ROLE: role, PI_LEDGER_KAFKA: kafka, PI_LEDGER_STORE: store },
        PI_LEDGER_CELLS: String(cells),
      },
      onListening: port,
    });

  async function newWorker(index: number): Promise<Placed> {
    const { uri, door } = await database.connect();
    return { program: program('worker', index, uri, () => undefined), door };
  }

  async function newGateway(index: number): Promise<Placed> {
    const door = await startFaultProxy({ port: 0, isRequest: isPost });
    const retarget = (port: number): void => door.retarget(port);
    return { program: program('gateway', index, database.uri, retarget), door };
  }

  const first = await newWorker(1);
  const workers: [Placed, ...Placed[]] = [first];
  while (workers.length < workerCount) workers.push(await newWorker(workers.length + 1));
  for (const { program: worker } of workers) await startAgain(worker);
  await until('a worker has created the topics', async () => {
    const answer = await fetch(`${first.program.url()}/health/ready`);
    return answer.status === 200;
  });
  const token = await createToken(first.program);
  const gateways = [await newGateway(1), await newGateway(2)] as const;
  for (const { program: gateway } of gateways) await startAgain(gateway);
  const brokerVictim: Victim = {
    ...{ kind: 'broker', weight: 1, doors: [broker.proxy], answers: true },
    async kill() {
      const writes = broker.proxy.inFlight();
      await broker.kill();
      return writes;
    },
    ...{ restart: broker.restart, pause: broker.pause, resume: broker.resume },
  };
  const fronts = gateways.map(({ door }) => door);
  const programs = [...workers, ...gateways].map(({ program: each }) => each);
  return {
    victims: [
      programsVictim('gateway', 5, true, gateways),
      programsVictim('worker', 2, false, workers),
      brokerVictim,
      databaseVictim(database, 'gateway', 1),
      databaseVictim(database, 'database', 1),
    ],
    ...{ programs, fronts, disk, readsSpool: false, isAckInLog: false, residentBytesMax },
    readers: workers.map(({ program: each }) => each),
    proxies: [...fronts, broker.proxy, ...database.doors],
    agents: { home: agentsHome, token },
    async stop() {
      await Promise.all(programs.map((each) => each.kill()));
      await Promise.all(fronts.map((front) => front.close()));
      await broker.stop();
      await database.stop();
      unmount();
      process.off('exit', unmount);
    },
  };
}

type Listening = (port: number) => void;

interface Placed {
  readonly program: Program;
  readonly door: FaultProxy;
}
