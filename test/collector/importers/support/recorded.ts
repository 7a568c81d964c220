/** Records one session file, with real headers on disk and the entries in memory. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createGuesser } from '../../../../collector/importers/attribution.ts';
import { createEntryRecorder } from '../../../../collector/importers/session/entry-recorder.ts';
import { createFileEntries } from '../../../../collector/importers/session/file-entries.ts';
import { createFileHeaders } from '../../../../collector/importers/session/file-header.ts';
import { createLineage } from '../../../../collector/importers/session/lineage.ts';
import type { EntryRecorderOptions } from '../../../../collector/importers/session/recording.ts';
import type { EventDraft } from '../../../../core/record/draft.ts';
import { type Entry, type Header, readHeader } from '../../../../core/record/entry.ts';
import { responseKeyOf } from '../../../../core/record/subagent.ts';
import {
  answer,
  append,
  type FakeSession,
  newSession,
  type SessionOptions,
  userSays,
} from '../../../extension/support/fake-session.ts';
import { writeSession } from './files.ts';

export const startMs = Date.parse('2026-11-20T09:00:00.000Z');
export const at = (minute: number) => startMs + minute * 60_000;

const guesser = createGuesser({
  user: 'ada',
  machine: 'm',
  projectOf: () => ({ name: 'shop' }) as never,
  version: '0.1.0',
});

export type Options = Partial<Omit<EntryRecorderOptions, 'header'>> & {
  readonly header?: Partial<Header>;
};

export function recorderOf(session: FakeSession, { header = {}, ...options }: Options = {}) {
  const lineage = createLineage({ headers: createFileHeaders(), fileOf: () => undefined });
  return createEntryRecorder({
    path: '/sessions/any.jsonl',
    header: { ...(readHeader(session.header) as Header), ...header },
    isHeaderRead: true,
    importer: 'pi',
    unpricesCopies: options.importer === 'omp',
    lineage,
    guesser,
    contents: null,
    claimedBy: null,
    standing: null,
    ...options,
  });
}

/** Records a whole file. */
export function recorded(session: FakeSession, options: Options = {}) {
  const recorder = recorderOf(session, options);
  const begun = options.standing === undefined ? recorder.begin() : [];
  const taken = entriesOf(session).map((entry) => recorder.take(entry));
  const drafts = taken.flatMap((each) => (each.kind === 'drafts' ? each.drafts : []));
  return {
    begun,
    taken,
    drafts,
    kinds: taken.map(({ kind }) => kind),
    ended: recorder.end(),
    standing: recorder.standing,
  };
}

export function entriesOf({ entries }: FakeSession): Entry[] {
  const read = createFileEntries(null);
  return entries.map((entry) => read.read(entry) as Entry);
}

export const attributions = (drafts: readonly EventDraft[]) =>
  drafts.filter(({ type }) => type === 'pi.session.attributed.v1');
export const turns = (drafts: readonly EventDraft[]) =>
  drafts.flatMap(({ type, subject, data, ownership }) =>
    type === 'pi.turn.completed.v1'
      ? [[(data as { entryId: string }).entryId, subject, ownership]]
      : [],
  );
export const keyOf = (body: ReturnType<typeof answer>) => responseKeyOf(body.message as never);

export function story(options: SessionOptions = {}, minute = 0): FakeSession {
  const session = newSession('s', at(minute), options);
  append(session, 'u', at(minute + 1), userSays());
  append(session, 'a1', at(minute + 2), answer('r1'));
  append(session, 'a2', at(minute + 3), answer('r2'));
  return session;
}

/** A parent's file that began at this minute. */
export function parentFile(root: string, minute = 0, id = 'p', more: SessionOptions = {}): string {
  return writeSession(mkdtempSync(join(root, 'sessions-')), newSession(id, at(minute), more));
}

/** A fork of minute 10, with one answer of its parent and one of its own. */
export function forked(
  parentSession: string | undefined,
  copy: object = answer('r-p', { timestamp: 1 }),
): FakeSession {
  const session = newSession('c', at(10), { parentSession });
  append(session, 'u', at(1), userSays());
  append(session, 'copy', at(2), copy as never);
  append(session, 'own', at(11), answer('r-c', { timestamp: 2 }));
  return session;
}
