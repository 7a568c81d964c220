import { auditOf, type SummaryRow } from '../../../../collector/answers/context/audit.ts';
import { createEntryTree } from '../../../../collector/answers/context/entry-tree.ts';
import type { Story } from './given.ts';

export function rowsOf(story: Story) {
  const facts = story.facts();
  return auditOf(createEntryTree(facts), facts, 'pi');
}

export function rowOf(story: Story, id: string): SummaryRow {
  return rowsOf(story).find((row) => row.entryId === id) as SummaryRow;
}
