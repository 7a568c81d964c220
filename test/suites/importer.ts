/**
 * What every importer must do (collector/importers/importer.ts), and what those of session files
 * must do besides.
 */
import {
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Importer } from '../../collector/importers/importer.ts';
import type { ReaderSettings } from '../../collector/importers/reader-setup.ts';
import {
  createInlineRunner,
  createWorkerRunner,
  type Runner,
} from '../../collector/importers/threads/runner.ts';
import type { LedgerEvent } from '../../contract/index.ts';
import {
  createImports,
  homeDirectory,
  type Imports,
  sayings,
} from '../collector/importers/support/imports.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { eventsOf, type SessionFile } from '../extension/support/sessions.ts';

export interface ImporterUnderTest {
  readonly importer: Importer;
  readonly recordings: {
    readonly directory: string;
    /** Each with its files; relative to the directory. */
    readonly sources: readonly (readonly string[])[];
  };
  /** A worker thread that knows the importer, if it is in no registry. */
  readonly workerFile?: URL;
}

export function importerSuite({ importer, recordings, workerFile }: ImporterUnderTest): void {
  const { sources } = recordings;
  const root = temporaryDirectory();
  const recorded = () => copyRecordings(recordings, root);
  const inWorkers = (settings: ReaderSettings) =>
    createWorkerRunner(settings, 2, false, workerFile);

  describe(`importer: ${importer.name}`, () => {
    describe('its usual places', () => {
      it('are absolute, below the home directory, and named once', () => {
        const directories = importer.defaultDirectories({}, homeDirectory);
        expect(directories.length).toBeGreaterThan(0);
        expect(
          directories.every(
            (directory) => isAbsolute(directory) && directory.startsWith(homeDirectory),
          ),
        ).toBe(true);
        expect(new Set(directories).size).toBe(directories.length);
      });

      it('need not be there', async () => {
        const imports = createImports(importer, join(root, 'nowhere'));
        const roots = [{ importer, directory: join(root, 'nowhere'), isNamed: false }];
        expect(await imports.scan({ roots })).toMatchObject({ files: { found: 0 }, issueCount: 0 });
      });

      it('are missed when a run names them', async () => {
        expect(await createImports(importer, join(root, 'nowhere')).scan()).toMatchObject({
          files: { found: 0 },
          issues: [{ code: 'directory_unreadable', file: join(root, 'nowhere') }],
        });
      });
    });

    describe('recorded sessions', () => {
      it('have events that the contract knows, from this importer', async () => {
        const imports = createImports(importer, recordings.directory);
        await imports.scan();
        const events = [...imports.events.values()];
        expect(new Set(events.map(({ source }) => source))).toEqual(
          new Set([`/importers/${importer.name}`]),
        );
        const hosts = imports.of('pi.session.attributed.v1').map(({ data }) => data.host.name);
        expect(new Set(hosts)).toEqual(new Set([importer.name]));
        expect(imports.of('pi.turn.completed.v1').length).toBeGreaterThan(0);
      });

      it('bring nothing more when they are imported again, and cost no read', async () => {
        const imports = createImports(importer, recorded());
        const first = await imports.scan();
        expect(first).toMatchObject({ files: { read: sources.length }, issueCount: 0 });
        const before = sayings(imports.events.values());
        const again = await imports.scan();
        expect(again).toMatchObject({
          files: { read: 0, unchanged: sources.length },
          bytes: 0,
          events: { new: 0, known: 0 },
        });
        expect(sayings(imports.events.values())).toEqual(before);
      });

      it('say the same in any order, with live records in between', async () => {
        const directory = recorded();
        const whole = createImports(importer, directory);
        const batches = await eventsByFile(whole);
        const expected = sayings(whole.events.values());
        fc.assert(
          fc.property(
            fc.shuffledSubarray(batches, { minLength: batches.length }),
            fc.infiniteStream(fc.boolean()),
            (order, isLive) => {
              const imports = createImports(importer, directory);
              for (const events of order) {
                const live = events
                  .filter(() => isLive.next().value === true)
                  .map((event) => ({ ...event, source: '/producers/live' }));
                imports.deliver(live);
                imports.deliver(events);
              }
              expect(sayings(imports.events.values())).toEqual(expected);
            },
          ),
          { numRuns: 30 },
        );
      });

      it('say the same when worker threads read them', async () => {
        const directory = recorded();
        const [here, there] = [
          createImports(importer, directory),
          createImports(importer, directory),
        ];
        const inThread = await here.scan();
        expect(await there.scan({ createRunner: inWorkers })).toEqual(inThread);
        expect(sayings(there.events.values())).toEqual(sayings(here.events.values()));
      });

      it('are handed over one batch after another, and a failing store ends it', async () => {
        const imports = createImports(importer, recorded());
        const accept = () => Promise.reject(new Error('disk full'));
        await expect(imports.scan({ createRunner: inWorkers, accept })).rejects.toThrow(
          'disk full',
        );
        expect(await imports.scan({ createRunner: inWorkers })).toMatchObject({
          files: { read: sources.length },
        });
      });

      it('are the same sessions in a copied directory', async () => {
        const directory = recorded();
        const imports = createImports(importer, directory);
        const first = await imports.scan();
        const elsewhere = recorded();
        const again = await imports.scan({
          roots: [directory, elsewhere].map((each) => ({
            importer,
            directory: each,
            isNamed: true,
          })),
        });
        expect(again).toMatchObject({
          files: { unchanged: sources.length, read: sources.length },
          events: { new: 0 },
        });
        expect(first.events.new).toBeGreaterThan(0);
      });

      it('are read once under two paths: linked files, directories, circles', async () => {
        const directory = recorded();
        const imports = createImports(importer, directory);
        const [[name = '', ...others] = []] = sources;
        const flat = name.replaceAll('/', '-');
        if (others.length === 0) linkSync(join(directory, name), join(directory, `again-${flat}`));
        const linked = others.length === 0 ? name : dirname(name);
        symlinkSync(join(directory, linked), join(directory, `linked-${flat}`));
        symlinkSync(directory, join(directory, 'circle'));
        symlinkSync(join(directory, 'gone.jsonl'), join(directory, 'dangling.jsonl'));
        expect(await imports.scan()).toMatchObject({
          files: { found: sources.length, read: sources.length },
        });
      });

      it('are the same when the last file of each comes later', async () => {
        const directory = recorded();
        const last = sources.map((files) => join(directory, files.at(-1) ?? ''));
        const bytes = last.map((path) => readFileSync(path));
        for (const path of last) rmSync(path);
        const imports = createImports(importer, directory);
        await imports.scan();
        for (const [index, path] of last.entries()) writeFileSync(path, bytes[index] ?? '');
        await imports.scan();
        const whole = createImports(importer, recorded());
        await whole.scan();
        expect(sayings(imports.events.values())).toEqual(sayings(whole.events.values()));
      });
    });

    it('leaves a file alone that was written to just now', async () => {
      const imports = createImports(importer, recorded());
      const count = sources.length;
      expect(await imports.scan({ quietMs: 30_000 })).toMatchObject({
        files: { found: count, leftAlone: count, read: 0 },
      });
      expect(await imports.scan({ quietMs: 30_000, now: () => Date.now() + 31_000 })).toMatchObject(
        { files: { read: count } },
      );
    });

    it('reads files of other kinds past', async () => {
      const directory = mkdtempSync(join(root, 'other-'));
      mkdirSync(join(directory, 'deep'));
      writeFileSync(join(directory, 'notes.txt'), 'no session');
      writeFileSync(join(directory, 'deep', 'notes.md'), 'no session');
      expect(await createImports(importer, directory).scan()).toMatchObject({
        files: { found: 0 },
        issueCount: 0,
      });
    });
  });
}

export interface SessionImporterUnderTest {
  readonly importer: Importer;
  /** Recorded session files that this importer reads, and their directory. */
  readonly recordings: { readonly directory: string; readonly files: readonly SessionFile[] };
}

/** For importers of session files, which are one file each and grow. */
export function sessionImporterSuite({ importer, recordings }: SessionImporterUnderTest): void {
  const sources = recordings.files.map(({ name }) => [name]);
  const root = temporaryDirectory();
  const recorded = () => copyRecordings({ directory: recordings.directory, sources }, root);
  importerSuite({ importer, recordings: { directory: recordings.directory, sources } });

  describe(`importer of session files: ${importer.name}`, () => {
    it.each(recordings.files.map((file) => [file.name, file] as const))(
      'gives the events of the live extension: %s',
      async (name, file) => {
        const imports = createImports(importer, recordings.directory);
        await imports.scan();
        const live = eventsOf(file.header, file.entries, file.parent);
        expect(live.length, name).toBeGreaterThan(1);
        expect(sayings(live.map((draft) => imports.events.get(draft.id) as LedgerEvent))).toEqual(
          sayings(live as never),
        );
      },
    );

    describe('a file that grows', () => {
      it('gives the same events wherever it was cut', async () => {
        const file = longest(recordings.files);
        const bytes = readFileSync(join(recordings.directory, file.name));
        const whole = createImports(importer, recorded());
        await whole.scan();
        await fc.assert(
          fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 4 }), async (cuts) => {
            const directory = recorded();
            const path = join(directory, file.name);
            const imports = createImports(importer, directory);
            for (const cut of [...cuts.sort((a, b) => a - b), bytes.length]) {
              writeFileSync(path, bytes.subarray(0, cut));
              await imports.scan();
            }
            expect(sayings(imports.events.values())).toEqual(sayings(whole.events.values()));
            rmSync(directory, { recursive: true });
          }),
          { numRuns: 12 },
        );
      });

      it('is gone on with where it ended', async () => {
        const directory = recorded();
        const path = join(directory, longest(recordings.files).name);
        const bytes = readFileSync(path);
        const cut = bytes.lastIndexOf('\n', bytes.length - 2) + 1;
        writeFileSync(path, bytes.subarray(0, cut));
        const imports = createImports(importer, directory);
        await imports.scan();
        writeFileSync(path, bytes);
        expect(await imports.scan()).toMatchObject({
          files: { read: 1 },
          bytes: bytes.length - cut,
        });
      });

      it('is read from its start when the part already read has changed', async () => {
        const directory = recorded();
        const file = longest(recordings.files);
        const path = join(directory, file.name);
        const text = readFileSync(path, 'utf8');
        const imports = createImports(importer, directory);
        await imports.scan();
        const rewritten = `${text.replace(file.header.id, file.header.id.replace(/^./, 'f'))}\n`;
        writeFileSync(path, rewritten);
        expect(await imports.scan()).toMatchObject({ bytes: Buffer.byteLength(rewritten) });
        expect(imports.of('pi.session.started.v1').map(({ subject }) => subject)).toContain(
          file.header.id.replace(/^./, 'f'),
        );
      });
    });

    it('leaves a file out that is named like a session and is none', async () => {
      const directory = mkdtempSync(join(root, 'other-'));
      mkdirSync(join(directory, 'deep'));
      writeFileSync(join(directory, 'deep', 'numbers.jsonl'), '1\n2\n{"a":1}\n');
      const result = await createImports(importer, directory).scan();
      expect(result).toMatchObject({ files: { found: 1, read: 0, failed: 1 }, events: { new: 0 } });
      expect(result.issues).toMatchObject([
        { code: 'no_header', file: join(directory, 'deep', 'numbers.jsonl') },
      ]);
    });
  });
}

/** Copies recordings into a directory that tests may change. */
function copyRecordings(
  { directory, sources }: ImporterUnderTest['recordings'],
  root: string,
): string {
  const copy = mkdtempSync(join(root, 'sessions-'));
  for (const name of sources.flat()) cpSync(join(directory, name), join(copy, name));
  return copy;
}

function longest(files: readonly SessionFile[]): SessionFile {
  return files.toSorted((a, b) => b.entries.length - a.entries.length)[0] as SessionFile;
}

/** The events of each reading of a file. */
async function eventsByFile(imports: Imports): Promise<LedgerEvent[][]> {
  const batches: LedgerEvent[][] = [];
  await imports.scan({
    createRunner(settings) {
      const runner = createInlineRunner(settings);
      const read: Runner['read'] = (job, take) => {
        const events: LedgerEvent[] = [];
        batches.push(events);
        return runner.read(job, (batch) => {
          events.push(...batch.texts.map((text) => JSON.parse(text) as LedgerEvent));
          return take(batch);
        });
      };
      return { ...runner, read };
    },
  });
  return batches;
}
