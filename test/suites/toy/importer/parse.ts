/** Makes events of a toy's chat, with the recorders that make all others. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createAhead } from '../../../../collector/importers/ahead.ts';
import { failedRead } from '../../../../collector/importers/failed-read.ts';
import { eventSource, type Parse } from '../../../../collector/importers/importer.ts';
import { noIssues } from '../../../../collector/importers/issues.ts';
import { stampSource } from '../../../../collector/importers/sources.ts';
import { createBatches } from '../../../../collector/importers/threads/batches.ts';
import type { ReaderSetup } from '../../../../collector/importers/threads/read-job.ts';
import type { EventDraft } from '../../../../core/record/draft.ts';
import type { Entry, Header } from '../../../../core/record/entry.ts';
import { rootState } from '../../../../core/record/path-state.ts';
import { recordEntry } from '../../../../core/record/record-entry.ts';
import { recordSessionStarted } from '../../../../core/record/session.ts';
import type { ToyAnswer, ToySession } from '../store.ts';

const name = 'toy';

export function createToyParser({ guesser, latestTime }: ReaderSetup): Parse {
  function draftsIn(header: Header, answers: readonly ToyAnswer[]): readonly EventDraft[] {
    const agent = { kind: 'main', name: null } as const;
    const session = { id: header.id, cwd: header.cwd };
    return [
      recordSessionStarted(header),
      guesser.attribute({ header, importer: name, parentSessionId: null, agent }, header),
      ...answers.flatMap((answer) => recordEntry(session, entryFrom(answer), rootState)),
    ];
  }

  return function* parse({ path, files = [] }) {
    const stamp = stampSource({ path, files });
    const texts: string[] = [];
    try {
      for (const file of files) texts.push(readFileSync(file, 'utf8'));
      const parsed = new Map(
        texts.map((text, index) => [basename(files[index] ?? ''), JSON.parse(text) as unknown]),
      );
      const header = headerFrom(parsed.get('session.json') as ToySession);
      parsed.delete('session.json');
      const ahead = createAhead(latestTime);
      const batches = createBatches(eventSource({ name }));
      const bytes = Buffer.byteLength(texts.join(''));
      batches.read(bytes);
      batches.add(ahead.sort(draftsIn(header, [...parsed.values()] as ToyAnswer[])).taken);
      yield batches.rest();
      return {
        stamp,
        bookmark: { lines: 0, header, standing: provesNothing },
        isFailed: false,
        bytes,
        wentOn: false,
        issues: noIssues,
        againAtMs: ahead.againAtMs,
        claims: [],
      };
    } catch (error) {
      const message = `the chat cannot be read (${(error as Error).message})`;
      const code = 'file_unreadable';
      return failedRead({ code, file: path, line: null, message, mayHoldSpend: true }, stamp);
    }
  };
}

const provesNothing = {
  firstAnswer: null,
  copiedAnswers: [],
  placedParent: null,
  awaitedParent: null,
};

function headerFrom({ id, folder, began }: ToySession): Header {
  const timeMs = Date.parse(began);
  return { id, timestamp: began, timeMs, cwd: folder, formatVersion: null, parentSession: null };
}

function entryFrom({ id, at, by, tokens, usd }: ToyAnswer): Entry {
  const usage = { input: tokens.in, output: tokens.out, cost: { total: usd } };
  const [provider, model] = by;
  const message = { role: 'assistant', provider, model, usage };
  return { id, key: id, parentId: null, type: 'message', timestamp: at, body: { message } };
}
