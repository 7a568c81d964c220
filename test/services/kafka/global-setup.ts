/**
 * Starts the lane's broker once for all its test files and stops what it started. Tests find it by
 * `inject('kafka')`, and use topics of their own.
 */
import type { TestProject } from 'vitest/node';
import { type Broker, findBroker } from './find-broker.ts';

declare module 'vitest' {
  interface ProvidedContext {
    kafka: Pick<Broker, 'addresses'> | null;
  }
}

export default async function startKafka(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  try {
    const { name, addresses, stop } = await findBroker(process.env);
    project.provide('kafka', { addresses });
    project.provide('laneServer', name);
    return stop;
  } catch (error) {
    project.provide('kafka', null);
    project.provide('laneServer', `no server: ${(error as Error).message}`);
    return undefined;
  }
}
