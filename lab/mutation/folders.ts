/** What is mutated, which tests run against the mutants, and the score they must reach. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Folder {
  readonly name: string;
  /** Files and directories of the repository. */
  readonly sources: readonly string[];
  readonly except?: RegExp;
  /**
   * Globs. Only tests close to the sources: a mutant that only a distant test notices counts as a
   * survivor.
   */
  readonly tests: readonly string[];
  readonly scoreMin: number;
}

/**
 * The worker itself is in neither folder: what changes a mutant into another one does not reach its
 * thread.
 */
const readElsewhere = /\/(runner|reader-thread|serve-reads|read-worker)\.ts$/;

export const folders: readonly Folder[] = [
  {
    name: 'core/record',
    sources: ['core/record', 'core/spend'],
    tests: [
      'test/core/{record,spend}/**/*.test.ts',
      'test/extension/recorder/**/*.test.ts',
      'test/extension/live/**/*.test.ts',
    ],
    scoreMin: 95,
  },
  {
    name: 'collector/projections',
    sources: ['collector/projections'],
    // Without the file of large documents: it takes longer than all others, and each mutant would
    // wait for it.
    tests: [
      'test/collector/projections/**/!(document-bounds|exact-sums).test.ts',
      'test/collector/answers/context/**/*.test.ts',
    ],
    scoreMin: 95,
  },
  {
    name: 'collector/ingest',
    sources: [
      'collector/ingest/ingest.ts',
      'collector/ingest/dead-letter-chunks.ts',
      'collector/ingest/event-check.ts',
      'collector/ingest/sender.ts',
      'collector/ingest/sorted-batch.ts',
    ],
    tests: [
      'test/collector/ingest/@(ingest|event-check|forwarded|sender|parse-event).test.ts',
      'test/collector/ingest/@(dead-letters|dead-letter-retries).test.ts',
    ],
    scoreMin: 85,
  },
  {
    name: 'collector/log',
    sources: ['collector/log', 'collector/stores/sqlite/log'],
    tests: [
      'test/collector/log/**/*.test.ts',
      'test/collector/stores/sqlite/*.test.ts',
      'test/collector/ingest/ingest.test.ts',
    ],
    scoreMin: 85,
  },
  {
    name: 'collector/importers',
    sources: ['collector/importers'],
    except: readElsewhere,
    // Without tests that take seconds: threads, lines of many megabytes, all orders of files. And
    // without those that set the process's time zone, which a thread cannot.
    tests: [
      'test/collector/importers/!(ownership*|subagents-once|*-property|long-lines|texts).test.ts',
      'test/collector/importers/progress/*.test.ts',
      'test/collector/importers/session/!(clock-changes|*-as-read).test.ts',
      'test/collector/importers/threads/!(runner|reader-thread).test.ts',
    ],
    scoreMin: 85,
  },
  {
    name: 'collector/importers/threads',
    sources: [
      'collector/importers/threads/runner.ts',
      'collector/importers/threads/reader-thread.ts',
    ],
    tests: ['reader-thread', 'runner'].map(
      (name) => `test/collector/importers/threads/${name}.test.ts`,
    ),
    scoreMin: 85,
  },
  {
    name: 'collector/reconcile',
    sources: ['collector/reconcile'],
    // Without command-line/, which takes minutes for each survivor; tests of its parts check the
    // same. Lines of many megabytes are split in minutes, too, while mutants are counted.
    tests: [
      'test/collector/reconcile/*.test.ts',
      'test/collector/reconcile/files/!(*-as-read).test.ts',
      'test/collector/reconcile/readers/*.test.ts',
    ],
    scoreMin: 85,
  },
];

/** Relative to the repository, sorted. */
export function filesOf({ sources, except }: Folder, root: string): string[] {
  const files = sources.flatMap((source) =>
    source.endsWith('.ts') ? [source] : filesBelow(source, root),
  );
  return files.filter((file) => except?.test(file) !== true).sort();
}

function filesBelow(directory: string, root: string): string[] {
  return readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(directory, file));
}
