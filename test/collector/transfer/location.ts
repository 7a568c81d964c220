import { readStoreLocation, type StoreLocation } from '../../../collector/stores/store-location.ts';

export function locationOf(text: string): StoreLocation {
  const location = readStoreLocation(text);
  if (location === undefined) throw new Error(`no store: ${text}`);
  return location;
}
