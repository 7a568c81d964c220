/**
 * The service `kafka` of docker-compose.yml without its image: the very command, environment and
 * settings, with the same version of Kafka from the lane's jars, on ports and a disk of its own.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../hosts/support/machine/ports.ts';
import { compose, fill, read } from '../repository/compose-file.ts';
import { findBrokerJars } from '../services/kafka/jars.ts';
import { ownedCommand } from '../services/owned-command.ts';
import { createServerProcess } from '../services/server-process.ts';

export interface ProfileBroker {
  /** Where the profile's `kafka:9092` is here. */
  readonly address: string;
  start(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const readyLine = 'Kafka Server started';
const mounted = '/etc/pi-ledger/';

export async function createProfileBroker(
  directory: string,
  variables: Readonly<Record<string, string>>,
): Promise<ProfileBroker> {
  const { directory: jars, shortLived } = await findBrokerJars(process.env);
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const [settings, bin] = [join(directory, 'settings/'), join(directory, 'bin/')];
  for (const each of [settings, bin, join(directory, 'data')]) mkdirSync(each, { recursive: true });
  writeFileSync(
    join(settings, 'server.properties'),
    movedHere(read('deploy/kafka/server.properties'), ports, join(directory, 'data')),
  );
  writeFileSync(join(settings, 'log4j2.properties'), read('deploy/kafka/log4j2.properties'));
  for (const [name, flags, program] of programs)
    writeFileSync(
      join(bin, name),
      `#!/bin/bash\nexec java ${shortLived.join(' ')} ${flags} -cp "${jars}/*" ${program} "$@"\n`,
      { mode: 0o700 },
    );
  const here = (text: string): string =>
    fill(text, variables).replaceAll('/opt/kafka/bin/', bin).replaceAll(mounted, settings);
  const { entrypoint = [], environment = {} } = compose.services.kafka ?? {};
  const logPath = join(directory, 'broker.log');
  const broker = createServerProcess({
    command: ownedCommand(entrypoint.map((word) => here(word.replaceAll('$$', '$')))),
    env: Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, here(text)])),
    logPath,
  });
  const log = (): string => (existsSync(logPath) ? readFileSync(logPath, 'utf8') : '');
  return {
    address: `127.0.0.1:${ports[0]}`,
    async start() {
      const before = log().length;
      broker.start();
      while (!log().slice(before).includes(readyLine)) {
        if (!broker.isRunning()) throw new Error(`The broker ended: ${log().slice(-2_000)}`);
        await sleep(50);
      }
    },
    kill: () => broker.end('SIGKILL'),
    stop: () => broker.end('SIGTERM'),
  };
}

/** What the image has in their place does the same, with more around it. */
const programs = [
  ['kafka-storage.sh', '-Xmx128m', 'kafka.tools.StorageTool'],
  ['kafka-server-start.sh', '$KAFKA_HEAP_OPTS $KAFKA_LOG4J_OPTS', 'kafka.Kafka'],
] as const;

function movedHere(
  properties: string,
  [ledger, controller, internal]: readonly [number, number, number],
  data: string,
): string {
  return properties
    .replaceAll('//kafka:', '//127.0.0.1:')
    .replaceAll('0.0.0.0:', '127.0.0.1:')
    .replaceAll(':9092', `:${ledger}`)
    .replaceAll(':9093', `:${controller}`)
    .replaceAll(':9094', `:${internal}`)
    .replaceAll('/var/lib/kafka/data', data);
}
