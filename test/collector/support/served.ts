/** A collector that requires tokens, on a real socket. */
import { connect } from 'node:net';
import { afterEach } from 'vitest';
import type { CollectorConfig } from '../../../collector/config/config.ts';
import { type Collector, openLedger, startCollector } from '../../../collector/main.ts';
import { readCollectorFile } from '../../../collector/process/collector-file.ts';
import { ledgerHomes } from './ledger.ts';

export interface Served {
  readonly collector: Collector;
  readonly config: CollectorConfig;
  readonly machineToken: string;
  /** The token of Ada, who may send and read. */
  readonly token: { readonly text: string; readonly id: string };
  readonly logged: readonly string[];
}

/** Call it while a test file is read. */
export function servedCollectors(): {
  start(settings?: Partial<CollectorConfig>): Promise<Served>;
  config(): CollectorConfig;
} {
  const homes = ledgerHomes();
  const running: Collector[] = [];
  afterEach(async () => {
    for (const collector of running.splice(0)) await collector.stop();
  });
  return {
    config: homes.config,
    async start(settings = {}) {
      const config: CollectorConfig = { ...homes.config(), auth: 'required', ...settings };
      const token = await firstToken(config);
      const logged: string[] = [];
      const collector = await startCollector(config, {
        logStream: { write: (line) => void logged.push(line) },
      });
      running.push(collector);
      return {
        collector,
        config,
        token,
        logged,
        machineToken: readCollectorFile(config.home)?.token ?? '',
      };
    },
  };
}

/** As `pi-ledger token create` does before the first start. */
async function firstToken(config: CollectorConfig): Promise<{ text: string; id: string }> {
  const ledger = await openLedger(config);
  const request = { user: 'ada', scopes: ['ingest', 'read'] };
  const answer = await ledger.app.inject({
    method: 'POST',
    url: '/v1/tokens',
    headers: { host: 'localhost' },
    payload: request,
  });
  await ledger.close();
  const { token, id } = answer.json() as { token: string; id: string };
  return { text: token, id };
}

/** Sends raw bytes that no well-behaved client would send, and returns the whole answer. */
export function sendRaw(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}
