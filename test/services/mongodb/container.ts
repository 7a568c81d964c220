/** MongoDB itself, a replica set of one, in a container. */
import { waitMsMax } from '../../support/bounds.ts';
import { importTool } from '../../tools/tools.ts';
import { isDockerThere } from '../docker.ts';
import type { MongodbServer } from './find-server.ts';

interface Containers {
  readonly MongoDBContainer: new (
    image: string,
  ) => {
    withStartupTimeout(ms: number): { start(): Promise<Started> };
  };
}

interface Started {
  getConnectionString(): string;
  stop(): Promise<unknown>;
}

const image = 'mongo:8';

/** Null without a running Docker, or if the image is not available. */
export async function startContainer(): Promise<MongodbServer | null> {
  if (!isDockerThere()) return null;
  try {
    const { MongoDBContainer } = await importTool<Containers>(
      'containers',
      '@testcontainers/mongodb',
    );
    const container = await new MongoDBContainer(image).withStartupTimeout(waitMsMax).start();
    return {
      name: `MongoDB (${image} in a container)`,
      uri: `${container.getConnectionString()}/?directConnection=true`,
      stop: async () => void (await container.stop()),
    };
  } catch (error) {
    console.error(`${image} cannot be started in a container: ${(error as Error).message}`);
    return null;
  }
}
