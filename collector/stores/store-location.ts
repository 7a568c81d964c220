/** Where a ledger is kept, as PI_LEDGER_STORE and `copy --from --to` say it. Pure. */
import { isAbsolute } from 'node:path';

export type StoreLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  /** The address holds user and password, as a rule: it is for the driver and for nobody else. */
  | { readonly kind: 'mongodb'; readonly uri: string };

export const storeLocationExpected =
  'sqlite: and an absolute path, or mongodb:// (or mongodb+srv://) and an address';

/** Undefined when it is none. */
export function readStoreLocation(value: unknown): StoreLocation | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^mongodb(\+srv)?:\/\/[^/?\s]+(\/[^\s]*)?$/.test(value))
    return { kind: 'mongodb', uri: value };
  const path = value.startsWith('sqlite:') ? value.slice('sqlite:'.length) : '';
  return isAbsolute(path) ? { kind: 'sqlite', path } : undefined;
}

/** For people: without what is secret in it. */
export function storeName(location: StoreLocation): string {
  if (location.kind === 'sqlite') return location.path;
  return location.uri.replace(/\/\/[^/]*@/, '//').replace(/\?.*$/, '');
}
