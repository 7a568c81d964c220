/**
 * What the ledger itself writes into its home, told from what others keep there: PI_LEDGER_HOME may
 * be a folder such as /var, whose `spool` and `cache` are not the ledger's.
 */
import {
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isSegment } from '@pi-ledger/core/spool/layout';
import { markBytes } from '@pi-ledger/core/spool/marks';
import { decodeOwner } from '@pi-ledger/core/spool/owner';
import type { CollectorConfig } from '../../../config/config.ts';
import { homeFiles } from '../../../config/home-files.ts';

/** The name of the store's file in this home; null if it lies elsewhere. */
export function storeIn({ home, store: { driver, address } }: CollectorConfig): string | null {
  const isHere = driver.directoriesOf(address).some((folder) => resolve(folder) === resolve(home));
  return isHere ? basename(address) : null;
}

/** The home may be a link. */
function homeFolder({ home }: CollectorConfig): string {
  return existsSync(home) ? realpathSync(home) : home;
}

/** Beside a compile cache, which any command leaves. */
export function hasData(config: CollectorConfig, store: string | null): boolean {
  return namesIn(homeFolder(config)).some((name) => name === 'spool' || isOwnFile(name, store));
}

/** Something is in it that no other program writes. */
export function isLedgersHome(config: CollectorConfig, store: string | null): boolean {
  const home = homeFolder(config);
  const signs = [homeFiles.key, homeFiles.imports, ...(store === null ? [] : [store])];
  const isSign = (name: string) => signs.includes(name) && !isFolder(join(home, name));
  return namesIn(home).some(isSign) || namesIn(join(home, 'spool')).some(isOwner);
}

/** Not the user's `config.json`. The home goes, too, if it is empty then. Returns what is left. */
export function emptyHome(config: CollectorConfig, store: string | null): readonly string[] {
  const home = homeFolder(config);
  for (const name of namesIn(home)) {
    const path = join(home, name);
    if (isOwnFile(name, store) && !isFolder(path)) rmSync(path, { force: true });
  }
  emptySpool(join(home, 'spool'));
  emptyFolder(join(home, 'cache'), isCompileCache);
  removeIfEmpty(home);
  return namesIn(home);
}

function isOwnFile(name: string, store: string | null): boolean {
  const written: readonly string[] = Object.values(homeFiles);
  // A draft has the writer's pid, and that of a key some digits more.
  if (written.includes(name.replace(/\.\d+(\.[\da-f]{8})?$/, ''))) return true;
  // SQLite keeps files beside a database; the lock of a store is one, too.
  const database = name.replace(/-(wal|shm|journal)$/, '');
  const lock = store === null ? null : `${store.replace(/\.db$/, '')}.lock`;
  return [homeFiles.imports, store, lock].includes(database);
}

/** As core/spool/layout.ts lays it out. */
function emptySpool(spool: string): void {
  if (!isFolder(spool)) return;
  const adopted = join(spool, 'adopted');
  for (const folder of [spool, adopted])
    for (const owner of namesIn(folder).filter(isOwner))
      emptyFolder(join(folder, owner), isSegment);
  removeIfEmpty(adopted);
  emptyFolder(
    join(spool, 'rejected'),
    (name) => isSegment(name) && isOwner(name.slice(0, -'.ndjson'.length)),
  );
  emptyFolder(join(spool, 'marks'), (_, path) => isMark(path));
  emptyFolder(spool, isLease);
}

function isLease(name: string): boolean {
  const prefix = 'reader.json';
  return name === prefix || (name.startsWith(prefix) && isOwner(name.slice(prefix.length + 1)));
}

/** Marks have the names of sessions, so that only the width tells them; one may be torn. */
function isMark(path: string): boolean {
  return isFile(path) && [0, markBytes].includes(lstatSync(path).size);
}

function isOwner(name: string): boolean {
  return decodeOwner(name) !== null;
}

/** `v24.21.0-x64-964aae3f-0`: Node names the folders of its compile cache. */
function isCompileCache(name: string): boolean {
  return /^v\d+\.\d+\.\d+[\w.-]*-[\da-f]{8}(-\d+)?$/.test(name);
}

function emptyFolder(folder: string, isOurs: (name: string, path: string) => boolean): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (isOurs(name, path)) rmSync(path, { recursive: true, force: true });
  }
  removeIfEmpty(folder);
}

function removeIfEmpty(folder: string): void {
  if (isFolder(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

/** None of a link: what it points to is somebody's own arrangement. */
function namesIn(folder: string): readonly string[] {
  return isFolder(folder) ? readdirSync(folder) : [];
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Not a link to one. */
export function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** What a link leads to; null: it is none. */
export function linkedFrom(path: string): string | null {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? resolve(dirname(path), readlinkSync(path)) : null;
}
