/**
 * Parses one session file: takes lines, gives events, issues and claims.
 *
 * Guarantees: no line's content makes it throw. Does no I/O except through the entry recorder.
 */
import type { EventDraft } from '@pi-ledger/core/record/draft';
import { type Entry, type Header, readHeader } from '@pi-ledger/core/record/entry';
import { createAhead } from '../ahead.ts';
import { createIssues } from '../issues.ts';
import { createBatches } from '../threads/batches.ts';
import type { ReadJob } from '../threads/read-job.ts';
import { findDoubt } from './doubts.ts';
import { createEntryRecorder, type EntryRecorder } from './entry-recorder.ts';
import { createFileClaims } from './file-claims.ts';
import { createFileEntries } from './file-entries.ts';
import { headerByName } from './file-header.ts';
import {
  claimLeftOut,
  damaged,
  foreignFile,
  formatVersionMax,
  futureTime,
  type LineProblem,
  noHeader,
  notAnEntry,
  notRecorded,
  sessionNotSaved,
  textLeftOut,
  unknownVersion,
} from './file-issues.ts';
import { createHeldStart, type HeldStart } from './held-start.ts';
import { isTitle, type LineContent, parseContent } from './line-content.ts';
import { type OtherFile, recognizeOther } from './other-file.ts';
import type { ReaderState, SessionBookmark } from './reader-state.ts';
import type { TextLine } from './session-file.ts';
import type { SessionParser, SessionReaderSetup, TakenLine } from './session-parser.ts';
import { createStreamedRecorder } from './streamed-answers.ts';
import { createSummaryTexts } from './summary-texts.ts';
import { nameOfUsage, unknownUsageIn } from './unknown-usage.ts';

interface Opened {
  readonly header: Header;
  readonly recorder: EntryRecorder;
  readonly start: HeldStart;
}

/** Without a header within these lines, it is another kind of file. */
const foreignLinesMax = 20;

export function createSessionParser(
  job: ReadJob,
  setup: SessionReaderSetup,
  from: SessionBookmark | null,
): SessionParser {
  const { path, importer } = job;
  const issues = createIssues();
  const claims = createFileClaims();
  const texts = createSummaryTexts(setup.contents);
  const batches = createBatches(`/importers/${importer}`);
  let position = { offset: from?.offset ?? 0, lines: from?.lines ?? 0 };
  let bytes = 0;
  let opened: Opened | null = null;
  let other: OtherFile | null = null;
  /** Whether any line, or one of an entry, was read. */
  const seen = { isText: false, isEntry: from !== null };
  /** Whether a line was unreadable, and whether one other than an entry mentions usage. */
  const unread = { isDamaged: false, holdsUsage: false };
  const ahead = createAhead(setup.latestTime);
  const entries = createFileEntries(from?.standing.places.at(-1)?.[0] ?? null);
  if (from !== null) open(from.header, true, from.standing);

  function issue(problem: LineProblem, line: number | null): void {
    issues.add({ ...problem, file: path, line });
  }

  function add(drafts: readonly EventDraft[], line: number | null): void {
    const { taken, held } = ahead.sort(drafts);
    batches.add(taken);
    const problem = futureTime(held);
    if (problem !== null) issue(problem, line);
  }

  function open(header: Header, isHeaderRead: boolean, standing: ReaderState | null): Opened {
    const recorder = createEntryRecorder({
      ...job,
      ...setup,
      contents: texts.contents,
      header,
      isHeaderRead,
      standing,
    });
    const held = standing === null ? recorder.begin() : (standing.held ?? null);
    opened = { header, recorder, start: createHeldStart(header.id, held) };
    return opened;
  }

  function addEnd({ recorder, start }: Opened): void {
    add(start.end(recorder.end(), recorder.privacy !== 'none'), null);
  }

  function takeLine(line: TextLine): TakenLine {
    texts.begin(line);
    const read = parseContent(line);
    if (other === null) return takeContent(read, line);
    if (read.content !== null && 'value' in read.content)
      add(other.take(read.content.value), line.number);
    return 'next';
  }

  function takeContent({ problems, content }: LineContent, line: TextLine): TakenLine {
    // What cannot be read of a private stretch is missed by nobody. After `resumed`, nobody knows
    // whose it is.
    const isPaused = opened?.recorder.privacy === 'paused';
    if (!isPaused) for (const problem of problems) issue(problem, line.number);
    seen.isText ||= content !== null || problems.length > 0;
    if (content === null || (isPaused && 'damaged' in content)) return 'next';
    return 'damaged' in content
      ? takeDamaged(content.damaged, line.number)
      : takeValue(content.value, line);
  }

  /** A damaged line before the first entry is the header. */
  function takeDamaged(text: string, line: number): TakenLine {
    const isHeader = opened === null && !unread.isDamaged && !text.includes(nameOfUsage);
    unread.isDamaged = true;
    // Works in any encoding.
    unread.holdsUsage ||= text.replaceAll('\0', '').includes(nameOfUsage);
    issue(damaged(text, isHeader), line);
    return opened === null ? unlessForeign() : 'next';
  }

  function takeValue(value: unknown, line: TextLine): TakenLine {
    if ((opened === null && takeHeader(value, line)) || passOver(value, line)) return 'next';
    const entry = entries.read(value);
    if (entry === null)
      return isTitle(value) || opened?.recorder.privacy === 'paused'
        ? 'next'
        : takeForeign(value, line);
    const into = opened ?? openByName(line);
    return into === null ? 'give up' : takeEntry(into, entry, line);
  }

  /** True when the first line after the header, or in its place, is none of a session's. */
  function passOver(value: unknown, line: TextLine): boolean {
    if (seen.isEntry) return false;
    other = recognizeOther(value, opened?.header ?? null, createStreamedRecorder(job, setup));
    if (other === null) return false;
    issues.clear();
    opened = null;
    add(other.take(value), line.number);
    return true;
  }

  function takeEntry({ header, recorder, start }: Opened, entry: Entry, line: TextLine): TakenLine {
    seen.isEntry = true;
    const taken = recorder.take(entry);
    if (taken.kind === 'unknown parent') return 'again';
    if (taken.kind === 'nested too deep' || taken.kind === 'left out')
      issue(notRecorded[taken.kind], line.number);
    if (taken.kind !== 'drafts') return 'next';
    add(start.take(entry, taken.drafts), line.number);
    for (let left = claims.add(taken, header.id); left > 0; left -= 1)
      issue(claimLeftOut, line.number);
    noteMissing(entry, taken.drafts, line);
    return 'next';
  }

  function noteMissing(entry: Entry, drafts: readonly EventDraft[], { number }: TextLine): void {
    const problem = texts.missingIn(drafts);
    if (problem !== null) issue(textLeftOut(problem), number);
    const doubt = findDoubt(entry, drafts);
    if (doubt !== null) issue(doubt, number);
  }

  /** True when the value is the header. */
  function takeHeader(value: unknown, line: TextLine): boolean {
    const header = readHeader(value);
    if (header === null) return false;
    const version = header.formatVersion ?? 1;
    if (version < 1 || version > formatVersionMax) issue(unknownVersion(version), line.number);
    open(header, true, null);
    return true;
  }

  /** Called when the first entry comes before any header. */
  function openByName(line: TextLine): Opened | null {
    const header = headerByName(path);
    issue(noHeader(header !== null), line.number);
    return header === null ? null : open(header, false, null);
  }

  function takeForeign(value: unknown, line: TextLine): TakenLine {
    const holdsUsage = value !== null && unknownUsageIn(value as Entry['body']) !== null;
    unread.holdsUsage ||= holdsUsage;
    issue(notAnEntry(value, holdsUsage), line.number);
    return opened === null ? unlessForeign() : 'next';
  }

  function noteStreamed({ streamed }: OtherFile): void {
    if (streamed !== null) issue(sessionNotSaved(streamed), null);
  }

  function unlessForeign(): TakenLine {
    return issues.count >= foreignLinesMax ? 'give up' : 'next';
  }

  return {
    issues,
    claims: claims.list,
    get bytes() {
      return bytes;
    },
    get position() {
      return position;
    },
    get againAtMs() {
      return ahead.againAtMs;
    },
    get isPassedOver() {
      return other !== null || !seen.isText;
    },
    take(line) {
      bytes += line.bytes;
      batches.read(line.bytes);
      const taken = takeLine(line);
      // An unfinished line is read again when it is complete.
      if (taken === 'next' && line.isFinished)
        position = { offset: line.offset + line.bytes, lines: line.number };
      return taken;
    },
    full: batches.full,
    finish() {
      if (opened !== null) addEnd(opened);
      else if (other !== null) noteStreamed(other);
      else if (seen.isText && !issues.list.some(({ code }) => code === 'no_header')) {
        // One issue about the kind of file says more than one per line.
        issues.clear();
        issue(foreignFile(unread.holdsUsage), null);
      }
      return batches.rest();
    },
    result: () =>
      opened === null
        ? null
        : {
            header: opened.header,
            standing: { ...opened.recorder.standing, ...opened.start.standing },
          },
  };
}
