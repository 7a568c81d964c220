import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import { grouped } from '@pi-ledger/contract/amounts';
import { settingsFile } from '@pi-ledger/core/machine/settings-file';
import { dayStartMs } from '@pi-ledger/core/time/day';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../command.ts';
import { ownLine } from '../own-line.ts';
import { sayPage } from '../own-page.ts';

interface DemoCommandOptions {
  readonly dataOnly?: string;
  readonly days?: string;
  readonly until?: string;
}

const seed = 20;
const sessionsPerDay = 4;
const batchEvents = 1_000;
const daysMax = 366;
/** A month, and one before it to compare with. */
const daysServed = '61';
const daysWritten = '30';
/** A batch arrives so long after its last event. */
const deliveryMs = 1_200;

/** `pi-ledger demo`: serves a made-up month from a temporary store, like the real thing. */
export const demoCommand: CliCommand = {
  examples: {
    demo: [['pi-ledger demo', 'made-up data in a temporary store']],
  },
  define(program, terminal, exit) {
    program
      .command('demo')
      .description('explore made-up data in a temporary store; your own data is not touched')
      .option('--data-only <path>', 'write the store to this new file and serve nothing')
      .option(
        '--days <n>',
        `number of days (default: ${daysServed}; ${daysWritten} with --data-only)`,
      )
      .option(
        '--until <day>',
        'the last day, such as 2026-11-22 (default: today); the same day gives the same data',
      )
      .action(async (options: DemoCommandOptions) => {
        exit(await demo(options, terminal));
      });
  },
};

async function demo(options: DemoCommandOptions, terminal: Terminal): Promise<ExitCode> {
  const month = {
    until: lastDay(options.until, terminal.now()),
    days: dayCount(options.days ?? (options.dataOnly === undefined ? daysServed : daysWritten)),
    seed,
    sessionsPerDay,
    now: terminal.now(),
  };
  if (options.dataOnly !== undefined) {
    const path = resolve(options.dataOnly);
    if (existsSync(path)) {
      throw new UsageError(
        `--data-only: ${path} already exists, and a demo never writes to an existing file`,
      );
    }
    const events = await fill(dirname(path), path, month, terminal);
    terminal.print(`DEMO: ${grouped(events)} made-up events written to ${path}`);
    return 0;
  }
  const home = mkdtempSync(join(tmpdir(), 'pi-ledger-demo-'));
  try {
    const path = join(home, 'ledger.db');
    const budgetsInto = join(home, settingsFile);
    const events = await fill(home, path, month, terminal, budgetsInto);
    const { startCollector } = await import('../../main.ts');
    const collector = await startCollector(await demoConfig(home, path, terminal), {
      logStream: { write: (line) => terminal.complain(line.trimEnd()) },
    });
    terminal.print(
      `DEMO: ${grouped(events)} made-up events, all names start with "demo-", ` +
        `served on ${collector.url}`,
    );
    terminal.print('Ctrl-C stops it and deletes the data.');
    sayPage(terminal, collector.url);
    terminal.print(`Try it: PI_LEDGER_HOME=${home} ${ownLine(terminal, 'report --by model')}`);
    return (await collector.stopped) ? 0 : 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function fill(
  home: string,
  path: string,
  month: Parameters<typeof import('../demo/month.ts').demoMonth>[0],
  terminal: Terminal,
  budgetsInto: string | null = null,
): Promise<number> {
  const { openLedger } = await import('../../main.ts');
  const { demoMonth } = await import('../demo/month.ts');
  const ledger = await openLedger(await demoConfig(home, path, terminal));
  let count = 0;
  let batch: LedgerEvent[] = [];
  const append = async (events: readonly LedgerEvent[]) => {
    const lastMs = Math.max(...events.map(({ time }) => Date.parse(time)));
    const receivedAtMs = Math.min(lastMs + deliveryMs, terminal.now().getTime());
    const texts = events.map((event) => JSON.stringify(event));
    const ack = await ledger.ingest.acceptForwarded(texts, receivedAtMs);
    count += ack.accepted;
    if (ack.rejected[0] !== undefined) {
      throw new Error(
        `The demo made an event that the contract rejects: ` +
          `${ack.rejected[0].field} ${ack.rejected[0].message}`,
      );
    }
  };
  try {
    for (const event of demoMonth(month)) {
      // Each process sends its own, as it happens.
      if (batch.length === batchEvents || (batch[0]?.source ?? event.source) !== event.source) {
        await append(batch);
        batch = [];
      }
      batch.push(event);
    }
    if (batch.length > 0) await append(batch);
    await ledger.subscription.catchUp();
    if (budgetsInto !== null) {
      const { demoBudgets } = await import('../demo/budgets.ts');
      const budgets = await demoBudgets(ledger, terminal.now());
      writeFileSync(budgetsInto, JSON.stringify({ budgets }));
    }
  } finally {
    await ledger.close();
  }
  return count;
}

/** A home of its own, which keeps the user's store and spool untouched, and any free port. */
async function demoConfig(home: string, path: string, terminal: Terminal) {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { PI_LEDGER_PORT } = terminal.env;
  return loadCollectorConfig({
    PI_LEDGER_HOME: home,
    PI_LEDGER_STORE: `sqlite:${path}`,
    PI_LEDGER_PORT: PI_LEDGER_PORT ?? '0',
  });
}

function lastDay(text: string | undefined, now: Date): Date {
  if (text === undefined) {
    return now;
  }
  const dayMs = dayStartMs(text);
  if (dayMs === null)
    throw new UsageError(`--until: expected a day such as 2026-11-22, got "${text}"`);
  return new Date(dayMs);
}

function dayCount(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > daysMax) {
    throw new UsageError(`--days: expected a whole number from 1 to ${daysMax}, got "${text}"`);
  }
  return days;
}
