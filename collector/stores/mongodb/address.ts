/**
 * The address of a MongoDB database: a connection string whose path names the database. It usually
 * contains user and password. Pure.
 */
export const databaseNameDefault = 'pi_ledger';

export function isMongodbAddress(text: string): boolean {
  return /^mongodb(\+srv)?:\/\/[^/?\s]+(\/[^\s]*)?$/.test(text);
}

/** Without user, password and options. */
export function nameOfAddress(uri: string): string {
  return uri.replace(/\/\/[^/]*@/, '//').replace(/\?.*$/, '');
}

export function databaseName(uri: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]*)/.exec(uri)?.[1] ?? '';
  return path === '' ? databaseNameDefault : decodeURIComponent(path);
}
