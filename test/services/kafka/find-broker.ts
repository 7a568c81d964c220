/**
 * The broker of the lane `kafka`: those named by KAFKA_BROKERS, else Apache Kafka in a Docker
 * container, else a local one.
 */
import { waitMsMax } from '../../support/bounds.ts';
import { importTool } from '../../tools/tools.ts';
import { isDockerThere } from '../docker.ts';
import { isLocalBrokerPossible, startLocalBroker } from './local-broker.ts';

export interface Broker {
  /** Name in tables and summaries. */
  readonly name: string;
  /** Hosts and ports, with commas. */
  readonly addresses: string;
  stop(): Promise<void>;
}

interface Containers {
  readonly KafkaContainer: new (
    image: string,
  ) => {
    withStartupTimeout(ms: number): { start(): Promise<Started> };
  };
}

interface Started {
  getHost(): string;
  getMappedPort(port: number): number;
  stop(): Promise<unknown>;
}

const image = 'apache/kafka:4.3.1';
const portInContainer = 9093;

/** Rejects with the reason if there is none. */
export async function findBroker(environment: NodeJS.ProcessEnv): Promise<Broker> {
  const addresses = environment.KAFKA_BROKERS ?? '';
  if (addresses !== '')
    return { name: 'the brokers of KAFKA_BROKERS', addresses, stop: async () => undefined };
  const container = await startContainer();
  if (container !== null) return container;
  if (!isLocalBrokerPossible())
    throw new Error(
      'KAFKA_BROKERS is not set, there is no Docker, and the local broker needs Java and Maven',
    );
  const { name, address, stop } = await startLocalBroker(environment);
  return { name, addresses: address, stop };
}

/** Null without a running Docker, or if the image is not available. */
async function startContainer(): Promise<Broker | null> {
  if (!isDockerThere()) return null;
  try {
    const { KafkaContainer } = await importTool<Containers>('containers', '@testcontainers/kafka');
    const container = await new KafkaContainer(image).withStartupTimeout(waitMsMax).start();
    return {
      name: `Apache Kafka (${image} in a container)`,
      addresses: `${container.getHost()}:${container.getMappedPort(portInContainer)}`,
      stop: async () => void (await container.stop()),
    };
  } catch (error) {
    console.error(`${image} cannot be started in a container: ${(error as Error).message}`);
    return null;
  }
}
