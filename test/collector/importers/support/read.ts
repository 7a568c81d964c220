/** Reads a session file in memory. */
import { createGuesser } from '../../../../collector/importers/attribution.ts';
import { createFileHeaders } from '../../../../collector/importers/session/file-header.ts';
import { createLineage } from '../../../../collector/importers/session/lineage.ts';
import { createSessionParser } from '../../../../collector/importers/session/parse-session.ts';
import type { SessionBookmark } from '../../../../collector/importers/session/reader-state.ts';
import {
  type LinesOptions,
  linesOf,
} from '../../../../collector/importers/session/session-file.ts';
import type { SessionParser } from '../../../../collector/importers/session/session-parser.ts';
import type { LedgerEvent } from '../../../../contract/index.ts';
import type { Contents } from '../../../../core/content/contents.ts';
import { createProjects } from '../../../../core/project/project.ts';
import {
  answer,
  append,
  type FakeSession,
  newSession,
  userSays,
} from '../../../extension/support/fake-session.ts';
import { linesOfSession } from './files.ts';

export const startMs = Date.parse('2026-11-20T09:00:00.000Z');
export const telling = '/sessions/2026-11-20T09-00-00-000Z_s1.jsonl';

export function story(): FakeSession {
  const session = newSession('s1', startMs);
  append(session, 'u1', startMs + 1_000, userSays());
  append(session, 'a1', startMs + 2_000, answer('r1'));
  return session;
}

export const [header = '', prompt = '', turn = ''] = linesOfSession(story());

interface Told extends LinesOptions {
  readonly path?: string;
  readonly from?: SessionBookmark | null;
  readonly importer?: 'pi' | 'omp';
  readonly latestTime?: string;
  readonly contents?: Contents | null;
}

export function begin({
  path = '/sessions/any.jsonl',
  from = null,
  importer = 'pi',
  latestTime = '9999',
  contents = null,
}: Told): SessionParser {
  const means = {
    lineage: createLineage({ headers: createFileHeaders(), fileOf: () => undefined }),
    guesser: createGuesser({
      user: 'ada',
      machine: 'm',
      projectOf: createProjects('/home/ada').of,
      version: '0.1.0',
    }),
    fileOf: () => undefined,
    contents,
    latestTime,
    unpricesCopies: importer === 'omp',
    collectGarbage: () => undefined,
  };
  return createSessionParser({ path, importer, from, claimedBy: null }, means, from);
}

/** Reads all lines of the text until the parser gives up. */
export function read(content: string | Buffer, told: Told = {}) {
  const reading = begin(told);
  const answers: string[] = [];
  for (const line of linesOf([Buffer.from(content as string)], { lineBytesMax: 60_000, ...told })) {
    answers.push(reading.take(line));
    if (answers.at(-1) !== 'next') break;
  }
  const events = reading.finish().texts.map((text) => JSON.parse(text) as LedgerEvent);
  const issues = reading.issues.list.map(({ code, line, message, mayHoldSpend }) => ({
    code,
    line,
    message,
    mayHoldSpend,
  }));
  return {
    reading,
    answers,
    events,
    issues,
    turns: events.filter(({ type }) => type === 'pi.turn.completed.v1').length,
  };
}

export const file = (...lines: readonly string[]) => `${lines.join('\n')}\n`;
