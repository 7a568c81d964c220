import { grouped } from '@pi-ledger/contract/amounts';
import type { StoreLocation } from '../../stores/driver.ts';
import type { OpenStoreOptions, Store } from '../../stores/store.ts';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../command.ts';
import type { CopyPhase, CopyResult, copyStore } from '../transfer/copy-store.ts';
import { isDamaged, type SourceDamage } from '../transfer/damage-found.ts';

interface CopyCommandOptions {
  readonly from?: string;
  readonly to?: string;
  readonly cells?: number;
  readonly json?: true;
}

/**
 * `pi-ledger copy`: copies the ledger to another store, SQLite to MongoDB or back, and verifies the
 * copy. Run again, it resumes where it stopped.
 */
export const copyCommand: CliCommand = {
  examples: {
    'store copy': [
      ['pi-ledger store copy --to sqlite:/backup/ledger.db', 'the ledger to another store'],
    ],
  },
  define(program, terminal, exit) {
    program
      .command('copy')
      .description(
        'copy the ledger to another store and verify it; safe to repeat, adds what is new',
      )
      .option(
        '--from <store>',
        'sqlite:/path or mongodb://..., opened read-only (default: the configured store)',
      )
      .option('--to <store>', 'the store to copy to (default: the configured store)')
      .option(
        '--cells <n>',
        'into so many cells of a new ledger in MongoDB (docs/kafka.md)',
        parseCells,
      )
      .option('--json', 'print JSON')
      .addHelpText(
        'after',
        '\nKeep passwords in PI_LEDGER_STORE or config.json: other users of this machine can see ' +
          'command lines.',
      )
      .action(async (options: CopyCommandOptions) => exit(await copy(options, terminal)));
  },
};

async function copy(options: CopyCommandOptions, terminal: Terminal): Promise<ExitCode> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { waitForLease } = await import('../transfer/wait-for-lease.ts');
  const { nameOfStore } = await import('../../stores/registry.ts');
  const { LedgerError } = await import('../../errors.ts');

  const { from, to } = await findLocations(options, () => loadCollectorConfig(terminal.env).store);
  const source = await from.driver.openToRead(from.address);
  try {
    const onError = (error: unknown): void => terminal.complain(String(error));
    const targets = await openTargets(to, options.cells ?? 1, {
      now: () => terminal.now().getTime(),
      onError,
    });
    try {
      for (const { right } of targets)
        if (!(await waitForLease(right, to.driver.lease)))
          throw new LedgerError('store_locked', {
            message: `A collector is writing to ${nameOfStore(to)}: stop it first.`,
          });
      const result = await copyInto(targets, { from: source, onEvents: progressOn(terminal) });
      if (options.json) terminal.printJson(result);
      else print(result, nameOfStore(from), nameOfStore(to), terminal);
      await complainOfDamage(result.damaged, from, terminal);
      return isWhole(result) ? 0 : 1;
    } finally {
      for (const target of targets) await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copyInto(
  targets: readonly Store[],
  what: Omit<Parameters<typeof copyStore>[0], 'to'>,
): Promise<CopyResult> {
  const [only] = targets;
  if (targets.length === 1 && only !== undefined) {
    const { copyStore } = await import('../transfer/copy-store.ts');
    return copyStore({ ...what, to: only });
  }
  const { copyIntoCells } = await import('../../cells/transfer/copy-into-cells.ts');
  return copyIntoCells({ ...what, to: targets });
}

function isWhole(result: CopyResult): boolean {
  return result.is === 'copied' && result.tokens.leftOut === 0 && !isDamaged(result.damaged);
}

/** Also beside JSON: what is missing in a backup is to be seen. */
async function complainOfDamage(
  damaged: SourceDamage,
  from: StoreLocation,
  terminal: Terminal,
): Promise<void> {
  const name = from.driver.nameOf(from.address);
  for (const { after, before } of damaged.deadLetters)
    terminal.complain(
      `Rejected events in ${name} that cannot be read, and are not copied: ` +
        `those after ${after}${before === null ? '' : ` and before ${before}`}.`,
    );
  if (damaged.sealPosition !== null)
    terminal.complain(
      `The seal of ${name} is damaged at position ${damaged.sealPosition}, so it does not apply ` +
        'in the target: what was deleted on purpose is in no sum there, and counts if it is ' +
        'imported. A backup may have it whole.',
    );
  await complainOfEvents(damaged, from, terminal);
}

async function complainOfEvents(
  { events, kept, missing }: SourceDamage,
  from: StoreLocation,
  terminal: Terminal,
): Promise<void> {
  if (events === 0) return;
  const { nameDamaged } = await import('../output/damaged-events.ts');
  const name = from.driver.nameOf(from.address);
  const inTarget = kept === 0 ? '' : `; ${grouped(kept)} whole in the target, from an earlier copy`;
  terminal.complain(`Damaged events in ${name}: ${grouped(events)}${inTarget}.`);
  for (const line of await nameDamaged(from, missing)) terminal.complain(`not copied: ${line}`);
  const more = events - kept - missing.length;
  if (more > 0) terminal.complain(`not copied: ${grouped(more)} more.`);
}

async function openTargets(
  { driver, address }: StoreLocation,
  cells: number,
  options: OpenStoreOptions,
): Promise<readonly Store[]> {
  if (cells === 1) return [await driver.open(address, options)];
  if (driver.openCells === null)
    throw new UsageError(`--cells: a ledger in ${driver.kind} has one cell`);
  return driver.openCells(address, { ...options, cells });
}

function parseCells(text: string): number {
  const cells = Number(text);
  if (/^\d+$/.test(text) && cells >= 1 && cells <= 512) return cells;
  throw new UsageError(`--cells: expected a whole number from 1 to 512, got "${text}"`);
}

async function findLocations(
  options: CopyCommandOptions,
  configured: () => StoreLocation,
): Promise<{ from: StoreLocation; to: StoreLocation }> {
  const { isSameStore, readStoreLocation, storeLocationExpected } = await import(
    '../../stores/registry.ts'
  );
  const locate = (name: 'from' | 'to'): StoreLocation => {
    const text = options[name];
    if (text === undefined) return configured();
    const location = readStoreLocation(text);
    // The value is not repeated: it may contain a password.
    if (location === undefined)
      throw new UsageError(`--${name}: expected ${storeLocationExpected}.`);
    return location;
  };
  if (options.from === undefined && options.to === undefined)
    throw new UsageError('Give --from or --to; the other one is the configured store.');
  const [from, to] = [locate('from'), locate('to')];
  // A store compared with itself would look like a good copy.
  if (isSameStore(from, to)) throw new UsageError('--from and --to are the same store.');
  return { from, to };
}

const lineEveryMs = 3_000;

function progressOn(terminal: Terminal): (phase: CopyPhase, events: number) => void {
  let nextMs = performance.now() + lineEveryMs;
  return (phase, events) => {
    const nowMs = performance.now();
    if (nowMs < nextMs) return;
    nextMs = nowMs + lineEveryMs;
    terminal.complain(`${phase}: ${grouped(events)} events`);
  };
}

function print(result: CopyResult, from: string, to: string, terminal: Terminal): void {
  if (result.is === 'other_events') {
    const event = `event ${grouped(result.position)}`;
    terminal.complain(
      `Nothing was copied: ${event} of ${to} is not ${event} of ${from}. ` +
        'Copy into an empty store, or into one that holds an earlier copy of this ledger.' +
        (result.damaged.events > 0 ? ` Keep ${to}: it may have whole what is damaged here.` : ''),
    );
    return;
  }
  const { source, target, eventsBefore, deadLetters, receiptsAdded, tokens } = result;
  terminal.print(
    `${grouped(target.events - eventsBefore)} events copied, ` +
      `${grouped(eventsBefore)} were already there.`,
  );
  terminal.print(
    `${grouped(deadLetters.added)} rejected events, ` +
      `${grouped(receiptsAdded)} receipts without an event, ` +
      `${grouped(tokens.added)} tokens.`,
  );
  if (result.isSealAdded)
    terminal.print('The seal (history deleted on purpose) now applies in the target, too.');
  if (tokens.revoked > 0)
    terminal.print(`${grouped(tokens.revoked)} tokens were revoked in the target too.`);
  if (tokens.leftOut > 0)
    terminal.complain(
      `${grouped(tokens.leftOut)} tokens were not copied: the target has reached its limit.`,
    );
  terminal.print(`source  ${grouped(source.events)} events, SHA-256 ${source.sha256}`);
  terminal.print(`target  ${grouped(target.events)} events, SHA-256 ${target.sha256}`);
  if (result.is === 'differs') terminal.complain('The two differ: do not use the target.');
  else
    terminal.print(
      `${isDamaged(result.damaged) ? 'The rest is identical.' : 'The two are identical.'} ` +
        'The views are built when a collector or a report first uses the target.',
    );
}
