/** The technologies that can keep a ledger. A new one is a folder here and a line in the list. */
import { join } from 'node:path';
import type { StoreDriver, StoreLocation } from './driver.ts';
import { mongodb } from './mongodb/driver.ts';
import { sqlite } from './sqlite/driver.ts';

const drivers: readonly StoreDriver[] = [sqlite, mongodb];

/** The form of a location, for error messages. */
export const storeLocationExpected = drivers.map(({ expected }) => expected).join(', or ');

/**
 * Reads a location as written in PI_LEDGER_STORE or `copy --from --to`; undefined when no driver
 * accepts it. Pure.
 */
export function readStoreLocation(value: unknown): StoreLocation | undefined {
  if (typeof value !== 'string') return undefined;
  for (const driver of drivers) {
    const address = driver.parse(value);
    if (address !== undefined) return { driver, address };
  }
  return undefined;
}

/** The default store of a home. */
export function storeInHome(home: string): StoreLocation {
  return { driver: sqlite, address: join(home, 'ledger.db') };
}

export function nameOfStore({ driver, address }: StoreLocation): string {
  return driver.nameOf(address);
}

export function isSameStore(one: StoreLocation, other: StoreLocation): boolean {
  return (
    one.driver === other.driver &&
    one.driver.identityOf(one.address) === other.driver.identityOf(other.address)
  );
}

const causesMax = 4;

/** Whether a driver calls the error, or one of its causes, unreachable. */
export function isStoreUnreachable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > causesMax) return false;
  return (
    drivers.some((driver) => driver.isUnreachable(error)) ||
    isStoreUnreachable(error.cause, depth + 1)
  );
}
