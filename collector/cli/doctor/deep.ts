import { type CheckedLog, checkLog, type DamagedEvent } from '../../log/check-log.ts';
import { checkFile, idsFromIndex } from '../../stores/sqlite/check-file.ts';
import { type StoreLocation, storeName } from '../../stores/store-location.ts';
import { openStoreToRead } from '../../stores/to-read.ts';
import { formatCount } from '../output/format.ts';
import { countOf } from '../output/usage-table.ts';
import type { Finding } from './finding.ts';

const namedMax = 20;

/** Is the store undamaged? Reads all of it and changes nothing, even beside a collector. */
export async function checkStoreDeeply(location: StoreLocation): Promise<Finding[]> {
  const file =
    location.kind === 'sqlite'
      ? checkFile(location.path, namedMax).map((detail) =>
          bad('file', `${location.path}: ${detail}`),
        )
      : [];
  try {
    const store = await openStoreToRead(location);
    try {
      return [...file, ...findingsOf(await checkLog(store.log, namedMax), location)];
    } finally {
      await store.close();
    }
  } catch (error) {
    return [
      ...file,
      bad(
        'events',
        `${storeName(location)} cannot be read: ` +
          (error instanceof Error ? error.message : String(error)),
      ),
    ];
  }
}

function findingsOf({ events, damaged, first }: CheckedLog, location: StoreLocation): Finding[] {
  if (damaged === 0)
    return [
      {
        check: 'events',
        state: 'good',
        detail: `all ${countOf(events, 'event')} can be read and have the right ids`,
      },
    ];
  const unnamed = new Set(
    first.filter(({ eventId }) => eventId === '').map(({ position }) => position),
  );
  const ids =
    location.kind === 'sqlite' && unnamed.size > 0
      ? idsFromIndex(location.path, unnamed)
      : new Map<number, string>();
  const remedy = 'the views leave them out; restore a backup to get them back (docs/deploy.md)';
  return [
    bad('events', `${formatCount(damaged)} of ${countOf(events, 'event')} damaged: ${remedy}`),
    ...first.map((event) => bad('event', sentenceOf(event, ids))),
  ];
}

function sentenceOf(
  { position, eventId, damage }: DamagedEvent,
  ids: ReadonlyMap<number, string>,
): string {
  const id = eventId || ids.get(position) || 'an unreadable id';
  return `${id} at position ${position}: ${damage}`;
}

function bad(check: string, detail: string): Finding {
  return { check, state: 'bad', detail };
}
