import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FileUnit } from '../../../../collector/reconcile/files/file-unit.ts';
import type { SessionFile } from '../../../../collector/reconcile/files/session-files.ts';
import { usageFigures } from '../../../../collector/reconcile/files/usage-figures.ts';
import type { SourceFormat } from '../../../../collector/reconcile/readers/reader.ts';
import { identityOf } from '../../../../collector/reconcile/unit.ts';
import type { ToyAnswer, ToySession } from '../store.ts';

export const toyFormat: SourceFormat = {
  marksPrivacy: false,
  find: (directories) => ({
    files: directories.flatMap((directory) =>
      readdirSync(directory).map((name) => chatAt(join(directory, name))),
    ),
    streams: [],
    problems: [],
  }),
  *unitsIn({ path, header: { sessionId } }) {
    for (const name of readdirSync(path).filter((each) => each.startsWith('answer-')))
      yield unitFrom(sessionId, read(join(path, name)) as ToyAnswer);
  },
};

function chatAt(path: string): SessionFile {
  const { id, folder, began } = read(join(path, 'session.json')) as ToySession;
  const files = readdirSync(path).map((name) => join(path, name));
  const stats = files.map((file) => statSync(file));
  return {
    path,
    files,
    bytes: stats.reduce((sum, { size }) => sum + size, 0),
    changedAtMs: Math.max(...stats.map(({ mtimeMs }) => mtimeMs)),
    header: {
      ...{ sessionId: id, timeMs: Date.parse(began), cwd: folder },
      ...{ parentSession: null, version: 1 },
    },
  };
}

function unitFrom(sessionId: string, { id, at, by, tokens, usd }: ToyAnswer): FileUnit {
  const usage = { input: tokens.in, output: tokens.out, cost: { total: usd } };
  const identity = identityOf(id, Date.parse(at), null, usage, null);
  return {
    unit: {
      ...{ sessionId, kind: 'turn', claimKey: null, turnEntryId: null, entryId: id },
      ...{ timeMs: Date.parse(at), provider: by[0], model: by[1], identity },
      ...usageFigures(usage),
    },
    ...{ unitId: identity, responseKey: null, turnAtMs: null },
  };
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
