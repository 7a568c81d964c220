/**
 * Made-up session files in pi's format, to test and measure the importer: prompts, answers that
 * think and call tools, results as long as source files, forks. The same options give the same
 * files, byte for byte.
 */

import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs } from '@pi-ledger/core/time/units';
import { demoProjects, demoUsers } from './cast.ts';
import { type Random, seededRandom } from './random.ts';
import { createStory } from './story.ts';
import { demoUuid } from './uuid.ts';
import { createWords, type Words } from './words.ts';

export interface DemoFilesOptions {
  /** Created if missing; should be empty. */
  readonly directory: string;
  /** Approximate total. */
  readonly bytes: number;
  readonly files: number;
  readonly seed: number;
  /** The last day on which a session begins. */
  readonly until: Date;
}

export interface DemoFiles {
  readonly bytes: number;
  readonly files: number;
  readonly entries: number;
}

const daysBack = 90;
/** Every so many files, one is a fork: it begins with copies of the previous file's entries. */
const forkEvery = 12;
const copiedEntriesMax = 60;

export function writeDemoSessions({
  directory,
  bytes,
  files,
  seed,
  until,
}: DemoFilesOptions): DemoFiles {
  const random = seededRandom(seed);
  const words = createWords(random);
  const made = { bytes: 0, files: 0, entries: 0 };
  let previous: WrittenSession | null = null;
  for (let index = 0; index < files; index += 1) {
    const share = (bytes - made.bytes) / (files - index);
    const startMs = until.getTime() - Math.floor(((files - index) / files) * daysBack * dayMs);
    const forkOf: WrittenSession | null = index % forkEvery === forkEvery - 1 ? previous : null;
    const session = writeSession({
      directory,
      bytes: share * (0.5 + random.next()),
      startMs,
      forkOf,
      random,
      words,
    });
    made.bytes += session.bytes;
    made.entries += session.entries;
    made.files += 1;
    previous = session;
  }
  return made;
}

interface WrittenSession {
  readonly path: string;
  readonly bytes: number;
  readonly entries: number;
  readonly endMs: number;
  /** The first lines after the header, and the id of the last of them. */
  readonly head: { readonly lines: string; readonly leafId: string; readonly entries: number };
}

interface SessionOptions {
  readonly directory: string;
  readonly bytes: number;
  readonly startMs: number;
  readonly forkOf: WrittenSession | null;
  readonly random: Random;
  readonly words: Words;
}

const flushChars = 512 * 1024;

function writeSession({
  directory,
  bytes,
  startMs,
  forkOf,
  random,
  words,
}: SessionOptions): WrittenSession {
  const beginMs = forkOf === null ? startMs : forkOf.endMs + 60_000;
  const id = demoUuid(7, beginMs, random);
  const project = random.pick(demoProjects);
  const cwd = `/home/${random.pick(demoUsers).name}/${project.name}`;
  const folder = join(directory, `--${cwd.slice(1).replaceAll('/', '-')}--`);
  mkdirSync(folder, { recursive: true });
  const timestamp = new Date(beginMs).toISOString();
  const path = join(folder, `${timestamp.replace(/[:.]/g, '-')}_${id}.jsonl`);
  const descriptor = openSync(path, 'wx');
  let text = '';
  let written = 0;
  let head = { lines: '', leafId: '', entries: 0 };
  const flush = () => {
    written += writeSync(descriptor, text);
    text = '';
  };
  try {
    const header = {
      type: 'session',
      version: 3,
      id,
      timestamp,
      cwd,
      ...(forkOf === null ? {} : { parentSession: forkOf.path }),
    };
    text = `${JSON.stringify(header)}\n${forkOf?.head.lines ?? ''}`;
    const story = createStory(beginMs, forkOf?.head.leafId ?? null, random, words);
    while (written + text.length < bytes || story.entries() < 2) {
      const line = story.next();
      text += line;
      if (head.entries < copiedEntriesMax)
        head = { lines: head.lines + line, leafId: story.leafId(), entries: head.entries + 1 };
      if (text.length >= flushChars) flush();
    }
    flush();
    return {
      path,
      bytes: written,
      entries: story.entries() + (forkOf?.head.entries ?? 0),
      endMs: story.nowMs(),
      head,
    };
  } finally {
    closeSync(descriptor);
  }
}
