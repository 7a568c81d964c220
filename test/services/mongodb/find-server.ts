/**
 * The server of the lane `mongodb`: the one named by MONGODB_URI, else MongoDB in a Docker
 * container, else a local one.
 */
import { startContainer } from './container.ts';
import { type LocalServerOptions, startLocalServer, whyNoLocalServer } from './local-server.ts';

export interface MongodbServer {
  /** Name in tables and summaries. */
  readonly name: string;
  readonly uri: string;
  stop(): Promise<void>;
}

export type FoundServer =
  | { readonly kind: 'found'; readonly server: MongodbServer }
  | { readonly kind: 'none'; readonly reason: string };

export async function findServer(
  environment: NodeJS.ProcessEnv,
  localOptions: LocalServerOptions = {},
): Promise<FoundServer> {
  const uri = environment.MONGODB_URI ?? '';
  if (uri !== '')
    return {
      kind: 'found',
      server: { name: 'the server of MONGODB_URI', uri, stop: async () => undefined },
    };
  const container = await startContainer();
  if (container !== null) return { kind: 'found', server: container };
  const why = whyNoLocalServer(environment);
  if (why !== null)
    return { kind: 'none', reason: `MONGODB_URI is not set, there is no Docker, and ${why}` };
  try {
    return { kind: 'found', server: await startLocalServer(environment, localOptions) };
  } catch (error) {
    return {
      kind: 'none',
      reason:
        'MONGODB_URI is not set, there is no Docker, and the local server did not start: ' +
        (error as Error).message,
    };
  }
}
