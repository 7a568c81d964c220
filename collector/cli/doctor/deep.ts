import { type CheckedLog, checkLog, type DamagedEvent } from '../../log/check-log.ts';
import type { StoreLocation } from '../../stores/driver.ts';
import { formatCount } from '../output/format.ts';
import { countOf } from '../output/usage-table.ts';
import type { Finding } from './finding.ts';

const namedMax = 20;

/** Is the store undamaged? Reads all of it and changes nothing, even while a collector runs. */
export async function checkStoreDeeply(location: StoreLocation): Promise<Finding[]> {
  const { driver, address } = location;
  const name = driver.nameOf(address);
  const lines = await driver.check(address, namedMax);
  return [
    ...lines.map((line) => bad('store', `${name}: ${line}`)),
    ...(await checkEvents(location).catch((error: unknown) => [
      bad('events', `${name} cannot be read: ${messageOf(error)}`),
    ])),
  ];
}

async function checkEvents({ driver, address }: StoreLocation): Promise<Finding[]> {
  const { log, close } = await driver.openToRead(address);
  try {
    const checked = await checkLog(log, namedMax);
    const unnamed = checked.first.filter(({ eventId }) => eventId === '');
    const positions = new Set(unnamed.map(({ position }) => position));
    const ids =
      positions.size === 0 ? new Map<number, string>() : await driver.findIds(address, positions);
    return findingsOf(checked, ids);
  } finally {
    await close();
  }
}

function findingsOf(
  { events, damaged, first }: CheckedLog,
  ids: ReadonlyMap<number, string>,
): Finding[] {
  const all = countOf(events, 'event');
  if (damaged === 0) {
    const detail = `all ${all} can be read and have the right ids`;
    return [{ check: 'events', state: 'good', detail }];
  }
  const remedy = 'the views leave them out; restore a backup to get them back (docs/deploy.md)';
  return [
    bad('events', `${formatCount(damaged)} of ${all} damaged: ${remedy}`),
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
