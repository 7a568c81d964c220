/**
 * An Apache Kafka broker on this machine, of one node, with data of its own: ready in about five
 * seconds, 200 to 300 MB of memory. It ends with the process that started it, kill -9 included.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../hosts/support/machine/ports.ts';
import { waitMsMax } from '../../support/bounds.ts';
import type { CertificateFiles } from '../../support/certificate.ts';
import type { IsRequest } from '../../support/fault-proxy/network.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import { ownedCommand } from '../owned-command.ts';
import { createServerProcess, type ServerProcess } from '../server-process.ts';
import { findBrokerJars } from './jars.ts';
import { type BrokerPorts, brokerProperties, saslUser } from './properties.ts';

const run = promisify(execFile);

export interface LocalBroker {
  readonly name: string;
  /** Host and port. */
  readonly address: string;
  /** Wants PLAIN or SCRAM from `saslUser` (properties.ts). */
  readonly saslAddress: string;
  /** The same by TLS, where it was started with a certificate. */
  readonly encryptedAddress: string;
  /** All traffic goes through `proxy`. */
  readonly proxiedAddress: string;
  readonly proxy: FaultProxy;
  /** A folder for each partition. */
  readonly dataDirectory: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** On the same ports and data; waits until it serves. */
  restart(): Promise<void>;
  /** SIGSTOP and SIGCONT: it keeps its connections and answers nothing. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
  /** It did not end by itself. */
  wasKilled(): boolean;
}

/** Any 22 characters of base64url. */
const clusterId = 'bGVkZ2VyLXRlc3QtYnJva2';
const readyLine = 'Kafka Server started';
const log4j = fileURLToPath(new URL('log4j2.properties', import.meta.url));

export function isLocalBrokerPossible(): boolean {
  return ['java', 'mvn'].every((program) => {
    try {
      execFileSync(program, ['-version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

interface LocalBrokerOptions {
  readonly certificate?: CertificateFiles;
  /** What the proxy in front may lose the answers of. */
  readonly isRequest?: IsRequest;
  /** They may do what ACLs allow; absent: everybody may do everything. */
  readonly limitedUsers?: readonly string[];
  /** Of its Java, instead of those for a short life. */
  readonly flags?: readonly string[];
}

/** Rejects, with what is known, if it cannot be had or started. */
export async function startLocalBroker(
  environment: NodeJS.ProcessEnv,
  { isRequest, flags, certificate, limitedUsers }: LocalBrokerOptions = {},
): Promise<LocalBroker> {
  const { name, directory: jars, shortLived } = await findBrokerJars(environment);
  const home = await mkdtemp(join(tmpdir(), 'pi-ledger-kafka-'));
  const ports = await brokerPorts();
  const proxy = await startFaultProxy({
    port: ports.proxied,
    ...(isRequest === undefined ? {} : { isRequest }),
  });
  const java = [...shortLived, '-Xmx128m', '-cp', join(jars, '*')];
  const properties = join(home, 'server.properties');
  const dataDirectory = join(home, 'data');
  mkdirSync(dataDirectory);
  const keyStorePath = certificate === undefined ? null : keyStoreIn(home, certificate);
  writeFileSync(
    properties,
    brokerProperties({
      ...{ ports, proxyPort: proxy.port, dataDirectory, keyStorePath },
      limitedUsers: limitedUsers ?? null,
    }),
  );
  const { username, password } = saslUser;
  const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${username},password=${password}]`,
  ]);
  const format = ['format', '-t', clusterId, '-c', properties, ...scram];
  await run('java', [...java, 'kafka.tools.StorageTool', ...format]);
  const heap = ['-Xms128m', '-Xmx512m', '-XX:+UseSerialGC'];
  const logging = `-Dlog4j2.configurationFile=${log4j}`;
  const all = [...(flags ?? shortLived), ...heap, logging, '-cp', join(jars, '*')];
  const broker = createServerProcess({
    command: ownedCommand(['java', ...all, 'kafka.Kafka', properties]),
    logPath: join(home, 'broker.log'),
  });
  const on = (port: number): string => `127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    await broker.end('SIGTERM');
    await proxy.close();
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    await startUntilReady(broker);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    name,
    address: on(ports.plain),
    saslAddress: on(ports.sasl),
    encryptedAddress: on(ports.encrypted),
    proxiedAddress: on(proxy.port),
    proxy,
    dataDirectory,
    kill: () => broker.end('SIGKILL'),
    restart: () => startUntilReady(broker),
    pause: () => broker.signal('SIGSTOP'),
    resume: () => broker.signal('SIGCONT'),
    stop,
    wasKilled: broker.wasKilled,
  };
}

/** One file with both, as Kafka wants them. */
function keyStoreIn(home: string, { keyPath, certPath }: CertificateFiles): string {
  const path = join(home, 'keystore.pem');
  writeFileSync(path, `${readFileSync(keyPath, 'utf8')}${readFileSync(certPath, 'utf8')}`);
  return path;
}

/** Its log says when it serves; a port is open before. */
async function startUntilReady(broker: ServerProcess): Promise<void> {
  const before = logOf(broker).length;
  const untilMs = performance.now() + waitMsMax;
  broker.start();
  while (performance.now() < untilMs) {
    await sleep(50);
    const log = logOf(broker).slice(before);
    if (log.includes(readyLine)) return;
    if (!broker.isRunning()) throw new Error(`The broker ended: ${log.slice(-2_000)}`);
  }
  throw new Error(`The broker did not start: ${logOf(broker).slice(-2_000)}`);
}

function logOf({ logPath }: ServerProcess): string {
  return existsSync(logPath) ? readFileSync(logPath, 'utf8') : '';
}

async function brokerPorts(): Promise<BrokerPorts> {
  const ports = new Set<number>();
  while (ports.size < 5) ports.add(await freePort());
  const [plain = 0, controller = 0, sasl = 0, proxied = 0, encrypted = 0] = ports;
  return { plain, controller, sasl, proxied, encrypted };
}
