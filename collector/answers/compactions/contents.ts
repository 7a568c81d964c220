/**
 * The texts of a compaction, read from the events: no view keeps them. Null where they were not
 * recorded (`auditContent` is off) or the events were sealed and deleted.
 */
import type { Content } from '@pi-ledger/contract';
import type { Log } from '../../log/log.ts';
import type { AuditRow } from '../context/audit.ts';
import type { Contents } from './audits/row.ts';

export async function readContents(log: Log, row: AuditRow): Promise<Contents> {
  const ids = row.kind === 'failure' ? [row.id] : [row.id, row.timedId];
  const said: { summaryText?: Content; instructionsText?: Content }[] = [];
  for (const id of ids) said.push(id === null ? {} : await readData(log, id));
  const summary = said.find(({ summaryText }) => summaryText !== undefined)?.summaryText ?? null;
  const instructions =
    said.find(({ instructionsText }) => instructionsText !== undefined)?.instructionsText ?? null;
  return { summary, instructions };
}

async function readData(log: Log, id: string): Promise<object> {
  const position = await log.history.positionOf(id);
  if (position === null) return {};
  const [stored] = await log.read(position - 1, 1);
  return stored?.event.id === id ? stored.event.data : {};
}
