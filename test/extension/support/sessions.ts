/** The recorded session files of three hosts: what pi 0.73, pi 1.5 and omp 18 wrote, strings cut. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copiedCount } from '../../../extension/record/copied.ts';
import type { EventDraft } from '../../../extension/record/draft.ts';
import { type Entry, type Header, readEntry, readHeader } from '../../../extension/record/entry.ts';
import { advance, type Place, rootPlace } from '../../../extension/record/place.ts';
import { recordEntry } from '../../../extension/record/record-entry.ts';

export interface SessionFile {
  /** `pi15/rpc-main/<time>_<id>.jsonl` */
  readonly name: string;
  readonly host: string;
  readonly values: readonly Record<string, unknown>[];
  readonly header: Header;
  readonly entries: readonly Entry[];
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..', 'data', 'sessions');

export const sessionFiles: readonly SessionFile[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.jsonl'))
  .sort()
  .map((name) => ({ name, host: name.split('/')[0] ?? '', ...parseSession(readFileSync(join(root, name), 'utf8')) }));

export function sessionFile(part: string): SessionFile {
  const file = sessionFiles.find(({ name }) => name.includes(part));
  if (file === undefined) throw new Error(`no recorded session is called ${part}`);
  return file;
}

function parseSession(text: string): Omit<SessionFile, 'name' | 'host'> {
  const values = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const header = values.map(readHeader).find((candidate) => candidate !== null);
  if (header === undefined || header === null) throw new Error('a session file without a header');
  return { values, header, entries: values.map(readEntry).filter((entry) => entry !== null) };
}

/** What an importer makes of a session's own entries: the measure of what the live recorder must have recorded. */
export function eventsOf(header: Header, entries: readonly Entry[]): readonly EventDraft[] {
  const places = new Map<string, Place>();
  const copied = copiedCount(header, entries);
  return entries.flatMap((entry, index) => {
    const above = places.get(entry.parentId ?? '') ?? rootPlace;
    places.set(entry.id, advance(above, entry));
    return index < copied ? [] : recordEntry({ id: header.id, cwd: header.cwd }, entry, above);
  });
}
