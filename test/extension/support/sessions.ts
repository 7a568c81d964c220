/** Session files recorded from pi 0.73, pi 1.5 and omp 18, with shortened texts. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copiedCount } from '../../../core/record/copied.ts';
import type { EventDraft } from '../../../core/record/draft.ts';
import { type Entry, type Header, readEntry, readHeader } from '../../../core/record/entry.ts';
import type { SubagentParent } from '../../../core/record/entry-draft.ts';
import { advance, type PathState, rootState } from '../../../core/record/path-state.ts';
import { recordEntry } from '../../../core/record/record-entry.ts';
import { parentOfFile } from '../../../core/record/subagent.ts';

export interface SessionFile {
  /** `pi15/rpc-main/<time>_<id>.jsonl` */
  readonly name: string;
  readonly host: string;
  readonly values: readonly Record<string, unknown>[];
  readonly header: Header;
  readonly entries: readonly Entry[];
  readonly parent: SubagentParent | null;
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..', 'data', 'sessions');

export const sessionFiles: readonly SessionFile[] = readdirSync(root, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((name) => name.endsWith('.jsonl'))
  .sort()
  .map((name) => ({
    name,
    host: name.split('/')[0] ?? '',
    ...parseSession(name, readFileSync(join(root, name), 'utf8')),
  }));

export function sessionFile(part: string): SessionFile {
  const file = sessionFiles.find(({ name }) => name.includes(part));
  if (file === undefined) throw new Error(`no recorded session is called ${part}`);
  return file;
}

function parseSession(name: string, text: string): Omit<SessionFile, 'name' | 'host'> {
  const values = parseLines(text);
  const header = headerIn(values);
  if (header === undefined || header === null) throw new Error('a session file without a header');
  return {
    values,
    header,
    entries: values.map(readEntry).filter((entry) => entry !== null),
    parent: parentIn(name, header),
  };
}

function parseLines(text: string): readonly Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function headerIn(values: readonly Record<string, unknown>[]): Header | null | undefined {
  return values.map(readHeader).find((candidate) => candidate !== null);
}

/** As an importer determines it: by the path or else by the header of the parent's file. */
function parentIn(name: string, header: Header): SubagentParent | null {
  const found = parentOfFile(name, header);
  if (found === null || found.parentFile === null) return null;
  const sessionId =
    found.parentSessionId ??
    headerIn(parseLines(readFileSync(join(root, found.parentFile), 'utf8')))?.id;
  return sessionId === undefined ? null : { sessionId, key: found.key };
}

/**
 * The events that an importer creates from a session's own entries: what the live recorder must
 * have recorded.
 */
export function eventsOf(
  header: Header,
  entries: readonly Entry[],
  parent: SubagentParent | null = null,
): readonly EventDraft[] {
  const states = new Map<string, PathState>();
  const copied = copiedCount(header, entries);
  return entries.flatMap((entry, index) => {
    const above = states.get(entry.parentId ?? '') ?? rootState;
    states.set(entry.id, advance(above, entry));
    return index < copied
      ? []
      : recordEntry({ id: header.id, cwd: header.cwd, parent }, entry, above);
  });
}
