/** Ledgers that export to an endpoint, as a leading collector does. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { openLedger } from '../../../../collector/main.ts';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { post } from '../../support/ledger.ts';

export interface Exporting {
  readonly ledger: Ledger;
  readonly home: string;
  /** Lines of the log. */
  readonly log: readonly string[];
  accept(events: readonly object[]): Promise<void>;
  /** Resolves when all exporters have all that was accepted. */
  reachesHead(): Promise<void>;
  stop(): Promise<void>;
}

export interface ExportingOptions {
  readonly home?: string;
  /** `OTEL_*`, without the endpoint. */
  readonly more?: Readonly<Record<string, string>>;
  /** `config.json`. */
  readonly settings?: object;
}

/** Call it while a test file is loaded. */
export function exportingLedgers() {
  const directory = temporaryDirectory();
  let homes = 0;
  const open: Exporting[] = [];
  afterEach(async () => {
    for (const each of open.splice(0)) await each.stop();
  });
  return async (
    url: string,
    { home, more = {}, settings }: ExportingOptions = {},
  ): Promise<Exporting> => {
    homes += 1;
    const at = home ?? join(directory, String(homes));
    mkdirSync(at, { recursive: true });
    if (settings !== undefined) writeFileSync(join(at, 'config.json'), JSON.stringify(settings));
    const exporting = await start(at, { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...more });
    await exporting.reachesHead();
    open.push(exporting);
    return exporting;
  };
}

async function start(home: string, environment: Record<string, string>): Promise<Exporting> {
  const log: string[] = [];
  const config = loadCollectorConfig({ ...environment, PI_LEDGER_HOME: home, PI_LEDGER_PORT: '0' });
  expect(config.telemetry.problems).toEqual([]);
  const logStream = { write: (line: string) => void log.push(line) };
  const ledger = await openLedger(config, { logStream });
  const { subscribers } = ledger.parts;
  subscribers.start();
  ledger.subscription.wake();
  const reachesHead = async (): Promise<void> => {
    const head = await ledger.log.head();
    await expect
      .poll(async () => (await subscribers.state()).map(({ position }) => position), {
        interval: 10,
      })
      .toEqual(Array.from(await subscribers.state(), () => head));
  };
  let isOpen = true;
  return {
    ...{ ledger, home, log, reachesHead },
    async accept(events) {
      for (let from = 0; from < events.length; from += 500)
        expect((await post(ledger, events.slice(from, from + 500))).json()).toMatchObject({
          rejected: [],
        });
    },
    async stop() {
      if (!isOpen) return;
      isOpen = false;
      await subscribers.stop();
      await ledger.close();
    },
  };
}
