/**
 * Notices when the driver stops watching a server: a heartbeat that neither succeeds nor fails,
 * although each step of it has a limit.
 *
 * Why this happens: mongodb 7.9.0 writes to a destroyed socket whose `close` event is still to
 * come, gets `false` as an answer and waits for `drain`, which never comes. After a server was
 * killed, a heartbeat requested by an operation may hit exactly that moment; on compatible servers
 * that do not stream heartbeats it then waits for ever, and no server is ever selected again.
 */
import type { MongoClient } from 'mongodb';

/**
 * After the limit, with this process awake: a process that slept finds its timers expired and its
 * answers not yet read.
 */
const awakeMs = 1_000;

/**
 * Contract: `onStuck` must not throw; it is called once for each heartbeat that does not end. The
 * timers do not keep a process alive.
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
    // A streamed heartbeat is answered only on a change, or after the pause between two.
    const msMax = heartbeatMsMax + (awaited ? client.options.heartbeatFrequencyMS : 0);
    const judge = (): unknown => underWay.set(connectionId, setTimeout(onStuck, awakeMs).unref());
    underWay.set(connectionId, setTimeout(judge, msMax).unref());
  });
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => end(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => end(connectionId));
  client.on('serverClosed', ({ address }) => end(address));
}
