/**
 * Format v1 (pi up to 0.30): entries without ids; a host that resumes the file adds random ones.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pi } from '../../../collector/importers/pi/importer.ts';
import type { LedgerEvent } from '../../../contract/index.ts';
import { readEntry } from '../../../core/record/entry.ts';
import { rootState } from '../../../core/record/path-state.ts';
import { recordEntry } from '../../../core/record/record-entry.ts';
import { answer, toolResult, usage, userSays } from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { writeLines } from './support/files.ts';
import { createImports, type Imports, sayings } from './support/imports.ts';

const root = temporaryDirectory();
const at = (second: number) => `2025-11-20T09:00:${String(second).padStart(2, '0')}.000Z`;
type Line = Record<string, unknown>;
const entry = (second: number, { type, ...body }: Line): Line => ({
  type,
  timestamp: at(second),
  ...body,
});

const claims = { results: [{ agent: 'scout', usage: usage(40) }] };
const written: readonly Line[] = [
  { type: 'session', id: 's1', timestamp: at(0), cwd: '/srv/shop' },
  entry(1, { type: 'model_change', provider: 'anthropic', modelId: 'claude' }),
  entry(2, userSays()),
  entry(3, answer('r1')),
  entry(4, toolResult('c1', 'subagent', false, claims)),
  // Some providers give no response id, so two answers may be equal.
  entry(5, answer('', { responseId: undefined, timestamp: 1 })),
  entry(6, {
    type: 'message',
    message: { role: 'hookMessage', customType: 'note', content: 'hi', timestamp: 2 },
  }),
  entry(7, { type: 'compaction', summary: 'so far', firstKeptEntryIndex: 2, tokensBefore: 100 }),
  entry(8, answer('', { responseId: undefined, timestamp: 3 })),
];

/** Adds ids as pi and omp do when they open such a file. */
function resumed(lines: readonly Line[]): readonly Line[] {
  const entries = structuredClone(lines) as Line[];
  let last: string | null = null;
  for (const line of entries) {
    if (line.type === 'session') {
      line.version = 3;
      continue;
    }
    line.id = randomUUID().slice(0, 8);
    line.parentId = last;
    last = line.id as string;
    if (line.type === 'compaction') {
      line.firstKeptEntryId = entries[line.firstKeptEntryIndex as number]?.id;
      delete line.firstKeptEntryIndex;
    }
    const message = line.message as Line | undefined;
    if (message?.role === 'hookMessage') message.role = 'custom';
  }
  return entries;
}

const native = (parentId: unknown) => ({
  type: 'message',
  id: 'n1',
  parentId,
  timestamp: at(20),
  message: answer('r9').message,
});

const fileName = '2025-11-20T09-00-00-000Z_s1.jsonl';
const asText = (lines: readonly Line[]) => lines.map((line) => JSON.stringify(line));

async function importsOf(...versions: readonly (readonly Line[])[]): Promise<Imports> {
  const directory = mkdtempSync(join(root, 'sessions-'));
  const imports = createImports(pi, directory);
  for (const lines of versions) {
    writeLines(join(directory, fileName), asText(lines));
    expect(await imports.scan()).toMatchObject({ issueCount: 0, files: { read: 1 } });
  }
  return imports;
}

/** The parts that do not depend on the random ids. */
function said({ events }: Imports): readonly string[] {
  return sayings(
    [...events.values()].filter(
      ({ type }) => type !== 'pi.session.started.v1' && type !== 'pi.message.appended.v1',
    ),
  );
}

describe('a file of format v1', () => {
  it('counts, with the turns that its tools and claims belong to', async () => {
    const imports = await importsOf(written);
    const turns = imports.of('pi.turn.completed.v1').map(({ data }) => data);
    expect(turns).toHaveLength(3);
    expect(turns.map(({ entryId }) => entryId)).toEqual(
      turns.map(() => expect.stringMatching(/^v1-[0-9a-f]{16}$/)),
    );
    const [claim] = imports.of('pi.subagent.claimed.v1');
    expect(claim?.data).toMatchObject({
      turnEntryId: turns[0]?.entryId,
      key: `turn:${turns[0]?.entryId}`,
    });
    expect(imports.of('pi.compaction.completed.v1')[0]?.data.parentEntryId).toMatch(/^v1-/);
  });

  it('is the same before and after a resume, imported in any order', async () => {
    const after = resumed(written);
    const grown = [...after, native(after.at(-1)?.id)];
    const once = said(await importsOf(grown));
    expect(said(await importsOf(written, grown))).toEqual(once);
    expect(said(await importsOf(grown, resumed(written), resumed(written)))).toEqual(once);
    expect(said(await importsOf(written, after, grown))).toEqual(once);
    expect(said(await importsOf(written))).toEqual(said(await importsOf(after)));
  });

  it('is read further when it has grown, by the same host or a younger one', async () => {
    const whole = said(await importsOf(written));
    expect(said(await importsOf(written.slice(0, 4), written.slice(0, 6), written))).toEqual(whole);
  });

  it('tells its entries as the live extension tells those of the resumed session', async () => {
    const imports = await importsOf(written);
    const ids = new Set([...imports.events.keys()]);
    for (const line of resumed(written).slice(1)) {
      const read = readEntry(line);
      const above = {
        ...rootState,
        turnEntryId: imports.of('pi.turn.completed.v1')[0]?.data.entryId ?? null,
      };
      const drafts = read === null ? [] : recordEntry({ id: 's1', cwd: '/srv/shop' }, read, above);
      expect(
        drafts.filter(({ id, type }) => !ids.has(id) && type !== 'pi.attempt.estimated.v1'),
      ).toEqual([]);
    }
  });

  it('is forked by another name of its parent, and its copies stay with their owner', async () => {
    const directory = mkdtempSync(join(root, 'sessions-'));
    const parent = writeLines(join(directory, fileName), asText(written));
    const fork = [
      { type: 'session', id: 's2', timestamp: at(30), cwd: '/srv/shop', branchedFrom: parent },
      ...written.slice(1, 5),
    ];
    writeLines(
      join(directory, '2025-11-20T09-00-30-000Z_s2.jsonl'),
      asText([...fork, entry(31, answer('r5'))]),
    );
    const imports = createImports(pi, directory);
    await imports.scan();
    const owners = imports.of('pi.turn.completed.v1').map(({ subject }: LedgerEvent) => subject);
    expect(owners.sort()).toEqual(['s1', 's1', 's1', 's2']);
  });
});

describe('an entry that had its id from the start', () => {
  it('keeps its ids, with whatever stands beside it', () => {
    const line = {
      type: 'custom',
      customType: 'x',
      data: {},
      id: 'e1',
      parentId: null,
      timestamp: at(1),
    };
    expect(readEntry(line)).toMatchObject({ id: 'e1', key: 'e1' });
    expect(readEntry({ id: 'e1', timestamp: at(1), type: 'message' })).toMatchObject({ key: 'e1' });
  });
});
