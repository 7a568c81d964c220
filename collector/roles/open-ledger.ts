/** Opens the configured store, and makes the parts of its ledger: of one cell, or of several. */
import { LedgerError } from '../errors.ts';
import type { Logger } from '../process/logger.ts';
import type { CellStore, OpenCellsOptions, Store } from '../stores/store.ts';
import { all } from './all.ts';
import { measured, type OpenedLedger, type OpeningOptions } from './opening.ts';
import { createParts } from './parts.ts';
import type { Role } from './role.ts';

/** Takes the right to write a ledger of one cell if it is free. Throws as `openLedger` does. */
export async function openConfigured(options: OpeningOptions): Promise<OpenedLedger> {
  const { config, role } = options;
  if (role === null && config.role === 'worker') return openForWorker(options);
  const { driver, address } = config.store;
  return openSingle(options, await driver.open(address, openOptions(options)), role ?? all);
}

/** A worker's libraries are loaded where there is one. */
async function openForWorker(options: OpeningOptions): Promise<OpenedLedger> {
  const { config } = options;
  const { driver, address } = config.store;
  const cells = await openCells(options);
  if (cells !== null && cells.length > 1) return options.join(options, cells);
  const { worker } = await import('./worker.ts');
  const [only = await driver.open(address, openOptions(options))] = cells ?? [];
  await only.right.take();
  return openSingle(options, only, worker);
}

/** Resolves to null where there can be one cell only. */
async function openCells(options: OpeningOptions): Promise<readonly CellStore[] | null> {
  const { store, cells } = options.config;
  const { openCells, kind } = store.driver;
  if (openCells !== null) return openCells(store.address, { ...openOptions(options), cells });
  if (cells === null || cells === 1) return null;
  throw new LedgerError('config_invalid', {
    message: `"cells" is ${cells}, and a ledger in ${kind} has one: use a store in MongoDB.`,
  });
}

async function openSingle(
  options: OpeningOptions,
  opened: Store,
  role: Role,
): Promise<OpenedLedger> {
  const store = measured(opened, options.recorder);
  try {
    const cell = { number: 0, ledgerId: store.storeId, views: store.views };
    return { parts: await createParts({ ...options, store, cell }), role };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function openOptions({
  now,
  logger,
}: Pick<OpeningOptions, 'now'> & { readonly logger: Logger }): Omit<OpenCellsOptions, 'cells'> {
  return { now, onError: logger.reporter('in the background') };
}
