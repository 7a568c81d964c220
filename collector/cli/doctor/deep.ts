import { grouped } from '@pi-ledger/contract/amounts';
import { errorText } from '@pi-ledger/core/text/error-text';
import { type CheckedLog, checkLog } from '../../log/check-log.ts';
import type { StoreLocation } from '../../stores/driver.ts';
import { countOf } from '../output/counts.ts';
import { nameDamaged } from '../output/damaged-events.ts';
import type { DoctorFinding } from './finding.ts';

const namedMax = 20;

/** Is the store undamaged? Reads all of it and changes nothing, even while a collector runs. */
export async function checkStoreDeeply(location: StoreLocation): Promise<DoctorFinding[]> {
  const { driver, address } = location;
  const name = driver.nameOf(address);
  const lines = await driver.check(address, namedMax);
  return [
    ...lines.map((line) => bad('store', `${name}: ${line}`)),
    ...(await checkEvents(location).catch((error: unknown) => [
      bad('events', `${name} cannot be read: ${errorText(error)}`),
    ])),
  ];
}

async function checkEvents(location: StoreLocation): Promise<DoctorFinding[]> {
  const { log, close } = await location.driver.openToRead(location.address);
  try {
    const checked = await checkLog(log, namedMax);
    return toFindings(checked, await nameDamaged(location, checked.first));
  } finally {
    await close();
  }
}

function toFindings({ events, damaged }: CheckedLog, first: readonly string[]): DoctorFinding[] {
  const all = countOf(events, 'event');
  if (damaged === 0) {
    const detail = `all ${all} can be read and have the right ids`;
    return [{ check: 'events', state: 'good', detail }];
  }
  const remedy = 'the views leave them out; restore a backup to get them back (docs/deploy.md)';
  return [
    bad('events', `${grouped(damaged)} of ${all} damaged: ${remedy}`),
    ...first.map((event) => bad('event', event)),
  ];
}

function bad(check: string, detail: string): DoctorFinding {
  return { check, state: 'bad', detail };
}
