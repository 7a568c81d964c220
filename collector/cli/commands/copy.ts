import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { StoreLocation } from '../../stores/store-location.ts';
import type { CopyPhase, CopyResult } from '../../transfer/copy-store.ts';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../command.ts';
import { formatCount } from '../output/format.ts';

interface CopyCommandOptions {
  readonly from?: string;
  readonly to?: string;
  readonly json?: true;
}

/**
 * `pi-ledger copy`: moves house, from SQLite to MongoDB or back; begun again, it goes on where it
 * was.
 */
export const copyCommand: CliCommand = {
  define(program, terminal, exit) {
    program
      .command('copy')
      .description('copy the ledger into another store; again and again adds what is new')
      .option(
        '--from <store>',
        'sqlite:/path or mongodb://...; only read (default: the configured store)',
      )
      .option('--to <store>', 'where to (default: the configured store)')
      .option('--json', 'print JSON')
      .addHelpText(
        'after',
        '\nA password is better kept in PI_LEDGER_STORE or config.json: other users of this machine can see what stands here.',
      )
      .action(async (options: CopyCommandOptions) => exit(await copy(options, terminal)));
  },
};

async function copy(options: CopyCommandOptions, terminal: Terminal): Promise<ExitCode> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { copyStore } = await import('../../transfer/copy-store.ts');
  const { leaseWaitMsMax, takeRight } = await import('../../transfer/wait-for-lease.ts');
  const { openStore } = await import('../../stores/open-store.ts');
  const { openStoreToRead } = await import('../../stores/to-read.ts');
  const { storeName } = await import('../../stores/store-location.ts');
  const { LedgerError } = await import('../../errors.ts');

  const { from, to } = await locationsOf(options, () => loadCollectorConfig(terminal.env).store);
  const source = await openStoreToRead(from);
  try {
    const onError = (error: unknown): void => terminal.complain(String(error));
    const target = await openStore(to, { now: () => terminal.now().getTime(), onError });
    try {
      // Who has a file has it until they end.
      if (!(await takeRight(target.right, to.kind === 'mongodb' ? leaseWaitMsMax : 0))) {
        throw new LedgerError('store_locked', {
          message: `A collector writes to ${storeName(to)}: stop it first.`,
        });
      }
      const result = await copyStore({ from: source, to: target, onEvents: progressOn(terminal) });
      if (options.json) terminal.printJson(result);
      else print(result, storeName(from), storeName(to), terminal);
      return result.is === 'copied' && result.tokens.leftOut === 0 ? 0 : 1;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function locationsOf(
  options: CopyCommandOptions,
  configured: () => StoreLocation,
): Promise<{ from: StoreLocation; to: StoreLocation }> {
  const { readStoreLocation, storeLocationExpected, storeName } = await import(
    '../../stores/store-location.ts'
  );
  const locate = (name: 'from' | 'to'): StoreLocation => {
    const text = options[name];
    if (text === undefined) return configured();
    const location = readStoreLocation(text);
    // Without what was given: there may be a password in it.
    if (location === undefined)
      throw new UsageError(`--${name}: expected ${storeLocationExpected}.`);
    return location;
  };
  if (options.from === undefined && options.to === undefined)
    throw new UsageError('Say --from or --to: the other one is the configured store.');
  const [from, to] = [locate('from'), locate('to')];
  // Compared with itself it would be told to be a good copy.
  const place = (store: StoreLocation): string =>
    store.kind === 'sqlite' ? fileAt(store.path) : storeName(store);
  if (place(from) === place(to)) throw new UsageError('--from and --to are the same store.');
  return { from, to };
}

/** However it is written, and through symbolic links. */
function fileAt(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

const lineEveryMs = 3_000;

function progressOn(terminal: Terminal): (phase: CopyPhase, events: number) => void {
  let nextMs = performance.now() + lineEveryMs;
  return (phase, events) => {
    const nowMs = performance.now();
    if (nowMs < nextMs) return;
    nextMs = nowMs + lineEveryMs;
    terminal.complain(`${phase}: ${formatCount(events)} events`);
  };
}

function print(result: CopyResult, from: string, to: string, terminal: Terminal): void {
  if (result.is === 'other_events') {
    const what = `event ${formatCount(result.position)} of ${to} is not event ${formatCount(result.position)} of ${from}`;
    terminal.complain(
      `Nothing was copied: ${what}. Copy into an empty store, or into one that a copy of this ledger was begun in.`,
    );
    return;
  }
  const { source, target, eventsBefore, deadLetters, receiptsAdded, tokens } = result;
  terminal.print(
    `${formatCount(target.events - eventsBefore)} events copied, ${formatCount(eventsBefore)} were there.`,
  );
  terminal.print(
    `${formatCount(deadLetters.added)} refused events, ${formatCount(receiptsAdded)} receipts without an event, ${formatCount(tokens.added)} tokens.`,
  );
  if (result.isSealAdded)
    terminal.print('The seal of what was deleted on purpose is in force there too.');
  if (tokens.revoked > 0)
    terminal.print(`${formatCount(tokens.revoked)} tokens were revoked there too.`);
  if (tokens.leftOut > 0)
    terminal.complain(
      `${formatCount(tokens.leftOut)} tokens were left out: the store keeps no more.`,
    );
  terminal.print(`source  ${formatCount(source.events)} events, SHA-256 ${source.sha256}`);
  terminal.print(`target  ${formatCount(target.events)} events, SHA-256 ${target.sha256}`);
  if (result.is === 'differs') terminal.complain('They are not the same: do not use the target.');
  else
    terminal.print(
      'They are the same. Views are folded when a collector starts on the target, or when it is first asked.',
    );
}
