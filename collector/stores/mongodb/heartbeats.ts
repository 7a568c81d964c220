/**
 * Finds out that the driver looks at a server no more: a heartbeat that neither succeeds nor fails,
 * though each step of one has a limit.
 *
 * Why there is one: mongodb 7.9.0 writes to a socket that is destroyed and whose `close` event is
 * still to come, gets `false` for an answer and waits for `drain`, which never comes. After a
 * server was killed, a heartbeat that an operation asks for may fall into just that moment; where
 * servers stream no heartbeats (compatible ones), it then waits for ever, and no server is ever
 * selected again.
 */
import type { MongoClient } from 'mongodb';

/**
 * After the limit, with this process awake: one that slept finds its timers over, and its answers
 * not yet read.
 */
const awakeMs = 1_000;

/**
 * Contract: `onStuck` must not throw; it is called once for each heartbeat that has no end. The
 * timers keep no process alive.
 */
export function watchHeartbeats(
  client: MongoClient,
  { heartbeatMsMax, onStuck }: { heartbeatMsMax: number; onStuck(): void },
): void {
  const underWay = new Map<string, NodeJS.Timeout>();
  const end = (address: string): void => {
    clearTimeout(underWay.get(address));
    underWay.delete(address);
  };
  client.on('serverHeartbeatStarted', ({ connectionId, awaited }) => {
    end(connectionId);
    // One that is streamed is answered only when something changes, or after the pause between two.
    const msMax = heartbeatMsMax + (awaited ? client.options.heartbeatFrequencyMS : 0);
    const judge = (): unknown => underWay.set(connectionId, setTimeout(onStuck, awakeMs).unref());
    underWay.set(connectionId, setTimeout(judge, msMax).unref());
  });
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => end(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => end(connectionId));
  client.on('serverClosed', ({ address }) => end(address));
}
