import { createReader } from '../../../../collector/importers/reader-setup.ts';
import type { SessionBookmark } from '../../../../collector/importers/session/reader-state.ts';
import type { ReadJob, ReadResult } from '../../../../collector/importers/threads/read-job.ts';
import { answer, append, newSession, userSays } from '../../../extension/support/fake-session.ts';

export const startMs = Date.parse('2026-11-20T09:00:00.000Z');

export function story(answers = 2) {
  const session = newSession('s', startMs);
  append(session, 'u', startMs + 1, userSays());
  for (let index = 0; index < answers; index += 1)
    append(session, `a${index}`, startMs + 2 + index, answer(`r${index}`));
  return session;
}

const settings = {
  homeDirectory: '/home/ada',
  auditContent: false,
  version: '0.1.0',
  latestTime: '9999',
  files: new Map(),
};

interface SessionResult extends ReadResult {
  readonly bookmark: SessionBookmark | null;
}

/** Reads a file: the sizes of its batches, and the result. */
export async function read(
  path: string,
  more: Partial<ReadJob> = {},
  between: () => void = () => undefined,
) {
  const reader = await createReader(settings);
  const reading = reader({ path, importer: 'pi', from: null, claimedBy: null, ...more });
  const batches: number[] = [];
  const types: string[] = [];
  let step = reading.next();
  for (; !step.done; step = reading.next()) {
    batches.push(step.value.texts.length);
    types.push(...step.value.texts.map((text) => JSON.parse(text).type));
    between();
  }
  return { batches, types, result: step.value as SessionResult };
}
