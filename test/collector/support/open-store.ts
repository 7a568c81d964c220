/** Stores by their location, as written in the settings. */
import type { StoreLocation, StoreToRead } from '../../../collector/stores/driver.ts';
import { readStoreLocation } from '../../../collector/stores/registry.ts';
import type { OpenStoreOptions, Store } from '../../../collector/stores/store.ts';

export function openStore(location: string, options: OpenStoreOptions): Promise<Store> {
  const { driver, address } = locationOf(location);
  return driver.open(address, options);
}

export function openStoreToRead(location: string): Promise<StoreToRead> {
  const { driver, address } = locationOf(location);
  return driver.openToRead(address);
}

function locationOf(text: string): StoreLocation {
  const location = readStoreLocation(text);
  if (location === undefined) throw new Error(`no store: ${text}`);
  return location;
}
