/** Which records a label after the fact is for. Pure. */
import type { EventData } from '@pi-ledger/contract';
import { toMinute } from '../calendar.ts';

type Selection = EventData<'pi.records.labelled.v1'>['records'];

/** Where a record counts. */
export interface Selectable {
  readonly project: string;
  readonly branch: string;
  readonly user: string;
  readonly machine: string;
  readonly host: string;
  readonly provider: string;
  readonly model: string;
  /** The spender's local day. */
  readonly day: string;
  /** The first minute of its cell. */
  readonly minute: number;
}

export const selectionNames = [
  'project',
  'branch',
  'user',
  'machine',
  'host',
  'provider',
  'model',
] as const;

export function selects(selection: Selection, record: Selectable): boolean {
  const { since, until } = selection;
  return (
    selectionNames.every((name) => selection[name] === null || selection[name] === record[name]) &&
    (since === null || (isDay(since) ? record.day >= since : record.minute >= toMinute(since))) &&
    (until === null || (isDay(until) ? record.day <= until : record.minute < toMinute(until)))
  );
}

function isDay(text: string): boolean {
  return text.length === 10;
}
