/**
 * The cost of the proof before each batch: the extension's transport to a real collector, compared
 * with posting the same batches without a proof, alternating. The first turn of each is warm-up and
 * not counted.
 */
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createTransport } from '../../extension/shipping/transport.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { type CollectorProcess, startCollector } from './collector-process.ts';
import { demoEvents, inBatches } from './demo-events.ts';
import { median, spread } from './statistics.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const batchEvents = 20;
const turnBatches = 50;
const turns = 9;

export const ship: Benchmark = {
  name: 'ship',
  budget:
    "a batch from the extension to the collector, proof included: no budget; off the host's path",
  run: () => withTemporaryDirectory(measure),
};

type Send = (lines: readonly string[]) => Promise<void>;

async function measure(home: string): Promise<readonly Row[]> {
  const collector = await startCollector({ home });
  const transport = createTransport({
    url: collector.url,
    isUrlNamed: false,
    token: null,
    home,
    nowMs: Date.now,
  });
  const proven: Send = async (lines) => {
    const { state } = await transport.send(lines);
    if (state !== 'acked') throw new Error(`a batch was not acknowledged: ${state}`);
  };
  const bare: Send = (lines) =>
    post(`${collector.url}/v1/events`, gzipSync(`[${lines.join(',')}]`));
  const batches = [
    ...inBatches(demoEvents(2 * turns * turnBatches * batchEvents), batchEvents),
  ].map((batch) => batch.map((event) => JSON.stringify(event)));
  const [withProof, without]: [Turn[], Turn[]] = [[], []];
  for (const [index, part] of [...inBatches(batches, turnBatches)].entries()) {
    if (index % 2 === 0) withProof.push(await timed(part, proven, collector));
    else without.push(await timed(part, bare, collector));
  }
  await collector.stop();
  const row = (what: string, of: (turn: Turn) => number): Row => {
    const [samples, others] = [withProof.slice(1).map(of), without.slice(1).map(of)];
    const baseline = { what: 'posted without asking', measured: median(others) };
    return {
      what,
      measured: median(samples),
      unit: 'us',
      baseline,
      note: `${spread(samples, 0)}; ${spread(others, 0)}`,
    };
  };
  return [
    row(`a batch of ${batchEvents} events, by the clock`, ({ wallUs }) => wallUs),
    row("processor time in the agent's process", ({ clientUs }) => clientUs),
    row('processor time in the collector', ({ collectorUs }) => collectorUs),
  ];
}

/** For one batch, in microseconds. */
interface Turn {
  readonly wallUs: number;
  readonly clientUs: number;
  readonly collectorUs: number;
}

async function timed(
  batches: readonly (readonly string[])[],
  send: Send,
  collector: CollectorProcess,
): Promise<Turn> {
  const [cpuBefore, secondsBefore, startedMs] = [
    process.cpuUsage(),
    await collector.cpuSeconds(),
    performance.now(),
  ];
  for (const batch of batches) await send(batch);
  const [wallMs, { user, system }] = [performance.now() - startedMs, process.cpuUsage(cpuBefore)];
  const collectorSeconds = (await collector.cpuSeconds()) - secondsBefore;
  const each = 1 / batches.length;
  return {
    wallUs: wallMs * 1e3 * each,
    clientUs: (user + system) * each,
    collectorUs: collectorSeconds * 1e6 * each,
  };
}

/** Over a separate connection, like the extension. */
function post(url: string, body: Buffer): Promise<void> {
  const headers = {
    'content-type': 'application/cloudevents-batch+json',
    'content-encoding': 'gzip',
    connection: 'close',
  };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sent = request(url, { method: 'POST', agent: false, headers }, (answer) => {
    answer
      .resume()
      .on('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`status ${answer.statusCode}`)),
      );
  });
  sent.on('error', reject).end(body);
  return promise;
}
