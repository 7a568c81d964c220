/**
 * Starts the lane's server once for all its test files and stops what it started. Tests find it by
 * `inject('mongodb')`.
 */
import type { TestProject } from 'vitest/node';
import { findServer, type MongodbServer } from './find-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    mongodb: Pick<MongodbServer, 'uri'> | null;
    /** Shown at the end of the lane's summary line. */
    laneServer: string;
  }
}

export default async function startMongodb(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const found = await findServer(process.env);
  if (found.kind === 'none') {
    project.provide('mongodb', null);
    project.provide('laneServer', `no server: ${found.reason}`);
    return undefined;
  }
  const { name, uri, stop } = found.server;
  project.provide('mongodb', { uri });
  project.provide('laneServer', name);
  return stop;
}
