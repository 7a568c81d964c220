/**
 * Families of forks give one report, whichever files were deleted, in any order and any division
 * into imports.
 */
import { mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { omp } from '../../../collector/importers/omp/importer.ts';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  fork,
  newSession,
  userSays,
} from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { openBooks } from './support/books.ts';
import { writeSession } from './support/files.ts';

const root = temporaryDirectory();
const startMs = Date.parse('2026-11-20T09:00:00.000Z');

interface Wish {
  /** The earlier session that it forks; without one, it is an independent session. */
  readonly from: number;
  readonly header: 'path' | 'id' | 'none' | 'sameMillisecond';
  readonly answers: number;
  readonly folder: string;
  /** omp's `/tan`. */
  readonly losesPrices: boolean;
}

const wishes = fc.array(
  fc.record<Wish>({
    from: fc.nat(5),
    header: fc.constantFrom('path', 'path', 'id', 'none', 'sameMillisecond'),
    answers: fc.integer({ min: 0, max: 2 }),
    folder: fc.constantFrom('a', 'b', 'c'),
    losesPrices: fc.boolean(),
  }),
  { minLength: 2, maxLength: 5 },
);

interface File {
  readonly name: string;
  readonly session: FakeSession;
}

/** Begins with the time, like the hosts' ids. */
function idAt(timeMs: number, index: number): string {
  const hex = timeMs.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-00000000000${index}`;
}

function familyOf(wanted: readonly Wish[]): File[] {
  const sessions: FakeSession[] = [];
  const files: File[] = [];
  let timeMs = startMs;
  for (const [index, wish] of wanted.entries()) {
    const parent = sessions[wish.from % Math.max(1, sessions.length)];
    const last = parent?.entries.at(-1);
    timeMs += 600_000;
    const startsMs =
      wish.header === 'sameMillisecond' && last !== undefined
        ? Date.parse(String(last.timestamp))
        : timeMs;
    const id = idAt(startsMs, index);
    const session =
      parent === undefined ? newSession(id, startsMs) : forked(parent, wish, id, startsMs);
    append(session, `u${index}`, timeMs + 1_000, userSays());
    for (let each = 1; each <= wish.answers; each++)
      append(session, `e${index}-${each}`, timeMs + each * 60_000, answer(`r${index}-${each}`));
    session.header.cwd = `/srv/${index}`;
    sessions.push(session);
    files.push({ name: join(wish.folder, basename(fileOf(session))), session });
  }
  return files;
}

function forked(
  parent: FakeSession,
  { header, losesPrices }: Wish,
  id: string,
  timeMs: number,
): FakeSession {
  const session = fork(parent, id, timeMs);
  if (header === 'id') session.header.parentSession = parent.id;
  if (header === 'none') delete session.header.parentSession;
  if (losesPrices) {
    const free = session.entries.map((entry) =>
      JSON.parse(JSON.stringify(entry).replaceAll(/"cost":\{[^}]*\}/g, '"cost":{"total":0}')),
    );
    session.entries.splice(0, session.entries.length, ...free);
  }
  return session;
}

async function reported(steps: readonly (readonly File[])[], stays: boolean): Promise<unknown> {
  const books = await openBooks(root, omp);
  const home = mkdtempSync(join(root, 'sessions-'));
  for (const files of steps) {
    const directory = stays ? home : mkdtempSync(join(root, 'sessions-'));
    for (const { name, session } of files) writeSession(directory, session, name);
    await books.import(directory);
  }
  const report = [
    await books.total(),
    await books.report(undefined, 'session', 'project', 'user', 'host'),
  ];
  await books.close();
  return report;
}

describe('a report of session files', () => {
  it('depends on which they were, not on their order or the number of imports', async () => {
    await fc.assert(
      fc.asyncProperty(
        wishes,
        fc.infiniteStream(fc.nat(3)),
        fc.boolean(),
        async (wanted, choices, stays) => {
          const choose = () => choices.next().value ?? 0;
          const there = familyOf(wanted).filter(() => choose() > 0);
          const expected = await reported([there], true);
          const order = there.toSorted(() => choose() - 1.5);
          const steps: File[][] = [[]];
          for (const file of order) {
            if (choose() > 1) steps.push([]);
            steps.at(-1)?.push(file);
          }
          expect(await reported(steps, stays)).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never counts an entry twice, and never more than there is', async () => {
    await fc.assert(
      fc.asyncProperty(wishes, fc.infiniteStream(fc.nat(3)), async (wanted, choices) => {
        const there = familyOf(wanted).filter(() => (choices.next().value ?? 0) > 0);
        const entries = there
          .flatMap(({ session }) => session.entries)
          .filter(({ message }) => (message as { role?: string }).role === 'assistant');
        const answers = new Set(entries.map(({ id }) => id)).size;
        const [total] = (await reported([there], true)) as [string];
        expect(Number.parseInt(total, 10) || 0).toBeLessThanOrEqual(answers);
        if (
          there.every(
            ({ session }) => JSON.stringify(session.entries).includes('"total":0') === false,
          )
        ) {
          expect(Number.parseInt(total, 10) || 0).toBe(answers);
        }
      }),
      { numRuns: 40 },
    );
  });
});
