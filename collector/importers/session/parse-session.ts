/**
 * What one reading of a session file has come to: line after line in; events, issues and claims
 * out.
 *
 * Guarantees: nothing that stands in a line throws. Does no I/O but what the entry recorder does.
 */
import type { EventDraft } from '@pi-ledger/extension/record/draft';
import { type Entry, type Header, readHeader } from '@pi-ledger/extension/record/entry';
import { asObject } from '@pi-ledger/extension/record/fields';
import { createAhead } from '../ahead.ts';
import { createIssues, type IssueCode, type Issues } from '../issues.ts';
import { createBatches, type EventBatch } from '../threads/batches.ts';
import type { Bookmark, FileClaim, ReadJob, ReaderSetup } from '../threads/read-job.ts';
import { doubtOf, mayCount } from './doubts.ts';
import { createEntryRecorder, type EntryRecorder, type ReaderState } from './entry-recorder.ts';
import { createFileClaims } from './file-claims.ts';
import { createFileEntries } from './file-entries.ts';
import { headerByName } from './file-header.ts';
import { found, foundInText } from './found.ts';
import { restoreLengths } from './long-line.ts';
import type { Line } from './session-file.ts';
import { createSummaryTexts } from './summary-texts.ts';
import { nameOfUsage, unknownUsageIn } from './unknown-usage.ts';

export interface SessionParser {
  readonly issues: Issues;
  readonly claims: readonly FileClaim[];
  /** Bytes of the lines that were taken. */
  readonly bytes: number;
  /** Behind the last line that needs no second reading. */
  readonly position: { readonly offset: number; readonly lines: number };
  /** When an event that is held back can be taken; null when none is. */
  readonly againAtMs: number | null;
  take(line: Line): TakenLine;
  /** A batch that is full, or null. */
  full(): EventBatch | null;
  /** All that is left, when the last line was taken. */
  finish(): EventBatch;
  /** Null while nothing could be made of the file. */
  result(): Pick<Bookmark, 'header' | 'standing'> | null;
}

/**
 * `again`: an entry hangs below one that was read long before, so that the file has to be read from
 * its start.
 */
type TakenLine = 'next' | 'again' | 'give up';

interface Opened {
  readonly header: Header;
  readonly recorder: EntryRecorder;
}

/** Without a header by then it is a file of another kind. */
const foreignLinesMax = 20;
/** Longer lines of blanks are no JSON. */
const blankBytesMax = 1_000;
/** Of the newest format that is known; the first one does not say. */
const formatVersionMax = 3;

export function createSessionParser(job: ReadJob, means: ReaderSetup, from: Bookmark | null): SessionParser {
  const { path, importer } = job;
  const issues = createIssues();
  const claims = createFileClaims();
  const texts = createSummaryTexts(means.contents);
  const batches = createBatches(`/importers/${importer}`);
  let position = { offset: from?.offset ?? 0, lines: from?.lines ?? 0 };
  let bytes = 0;
  let opened: Opened | null = null;
  /** Whether a line could not be read, and whether one that is no entry speaks of usage. */
  const unread = { isDamaged: false, holdsUsage: false };
  const ahead = createAhead(means.latestTime);
  const entries = createFileEntries(from?.standing.places.at(-1)?.[0] ?? null);
  if (from !== null) open(from.header, true, from.standing);

  function issue(
    code: IssueCode,
    line: number | null,
    message: string,
    mayHoldSpend = false,
  ): void {
    issues.add({ code, file: path, line, message, mayHoldSpend });
  }

  function add(drafts: readonly EventDraft[], line: number | null): void {
    const { taken, held } = ahead.sort(drafts);
    batches.add(taken);
    const [first] = held;
    if (first === undefined) return;
    issue(
      'time_in_future',
      line,
      `${first.time} is more than a day ahead: it is read again when that time comes`,
      held.some(mayCount),
    );
  }

  function open(header: Header, isHeaderRead: boolean, standing: ReaderState | null): Opened {
    const recorder = createEntryRecorder({
      ...job,
      ...means,
      contents: texts.contents,
      header,
      isHeaderRead,
      standing,
    });
    if (standing === null) add(recorder.begin(), null);
    opened = { header, recorder };
    return opened;
  }

  function takeLine(line: Line): TakenLine {
    texts.begin(line);
    if (line.text === null) {
      issue(
        'line_too_long',
        line.number,
        `a line of ${line.bytes} bytes has too much beside long texts: not read`,
        true,
      );
      return 'next';
    }
    if (line.bytes < blankBytesMax && line.text.trim() === '') return 'next';
    const parsed = parse(line.text);
    if (parsed === undefined && !line.isFinished) {
      issue(
        'half_line',
        line.number,
        `the last line breaks off after ${line.bytes} bytes: what stands before it counts`,
      );
      return 'next';
    }
    if (!line.isUtf8) issue('not_utf8', line.number, 'expected UTF-8; what is none was replaced');
    if (parsed === undefined) return takeDamaged(line.text, line.number);
    if (line.cutMark === null || restoreLengths(parsed.value, line.cutMark))
      return takeValue(parsed.value, line);
    issue(
      'line_too_long',
      line.number,
      `a line of ${line.bytes} bytes has a usage with a long text: not read`,
      true,
    );
    return 'next';
  }

  /** One in front of the first entry is the header. */
  function takeDamaged(text: string, line: number): TakenLine {
    const isHeader = opened === null && !unread.isDamaged && !text.includes(nameOfUsage);
    unread.isDamaged = true;
    // In whatever encoding.
    unread.holdsUsage ||= text.replaceAll('\0', '').includes(nameOfUsage);
    issue('not_json', line, `expected one JSON object, found ${foundInText(text)}`, !isHeader);
    return opened === null ? unlessForeign() : 'next';
  }

  function takeValue(value: unknown, line: Line): TakenLine {
    if (opened === null && takeHeader(value, line)) return 'next';
    const entry = entries.read(value);
    if (entry === null) return isTitle(value) ? 'next' : takeForeign(value, line);
    const into = opened ?? openByName(line);
    return into === null ? 'give up' : takeEntry(into, entry, line);
  }

  function takeEntry({ header, recorder }: Opened, entry: Entry, line: Line): TakenLine {
    const taken = recorder.take(entry);
    if (taken.kind === 'unknown parent') return 'again';
    if (taken.kind === 'nested too deep')
      issue(
        'nested_too_deep',
        line.number,
        'expected an entry, found one nested too deep: not counted',
        true,
      );
    if (taken.kind === 'left out')
      issue(
        'owner_unknown',
        line.number,
        'a copy without its price, and the file that says whose it is, is gone: not counted',
        true,
      );
    if (taken.kind !== 'drafts') return 'next';
    add(taken.drafts, line.number);
    for (let left = claims.add(taken, header.id); left > 0; left -= 1)
      issue(
        'claim_left_out',
        line.number,
        'too many answers of subagents: whose session this one is in is not looked for',
        true,
      );
    noteMissing(entry, taken.drafts, line);
    return 'next';
  }

  function noteMissing(entry: Entry, drafts: readonly EventDraft[], { number }: Line): void {
    const problem = texts.missingIn(drafts);
    if (problem !== null)
      issue('text_left_out', number, `the text of a summary is left out: ${problem}`);
    const doubt = doubtOf(entry, drafts);
    if (doubt !== null) issue(doubt.code, number, doubt.message, doubt.mayHoldSpend);
  }

  /** True when the line was the header. */
  function takeHeader(value: unknown, line: Line): boolean {
    const header = readHeader(value);
    if (header === null) return false;
    const version = header.formatVersion ?? 1;
    if (version < 1 || version > formatVersionMax)
      issue(
        'version_unknown',
        line.number,
        `format version ${version}, expected at most ${formatVersionMax}: read all the same`,
        true,
      );
    open(header, true, null);
    return true;
  }

  /** The first entry came, and no header before it. */
  function openByName(line: Line): Opened | null {
    const header = headerByName(path);
    const consequence =
      header === null ? 'the file is left out' : 'session and time are taken from the file name';
    issue(
      'no_header',
      line.number,
      `expected {"type":"session","id":...,"timestamp":...} in front of the first entry: ${consequence}`,
      header === null,
    );
    return header === null ? null : open(header, false, null);
  }

  function takeForeign(value: unknown, line: Line): TakenLine {
    const holdsUsage = value !== null && unknownUsageIn(value as Entry['body']) !== null;
    unread.holdsUsage ||= holdsUsage;
    issue(
      'not_an_entry',
      line.number,
      `expected an object with "type", "id" and "timestamp", found ${found(value)}`,
      holdsUsage,
    );
    return opened === null ? unlessForeign() : 'next';
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
    take(line) {
      bytes += line.bytes;
      batches.read(line.bytes);
      const taken = takeLine(line);
      // What is unfinished is read again when it has its end.
      if (taken === 'next' && line.isFinished)
        position = { offset: line.offset + line.bytes, lines: line.number };
      return taken;
    },
    full: batches.full,
    finish() {
      if (opened !== null) add(opened.recorder.end(), null);
      else if (bytes > 0 && !issues.list.some(({ code }) => code === 'no_header')) {
        // What kind of file it is says more than each of its lines.
        issues.clear();
        issue(
          'no_header',
          null,
          'no header and no entry of a session in its first lines: the file is left out',
          unread.holdsUsage,
        );
      }
      return batches.rest();
    },
    result: () =>
      opened === null ? null : { header: opened.header, standing: opened.recorder.standing },
  };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // the caller says where
  }
}

/** omp's title slot. */
function isTitle(value: unknown): boolean {
  return asObject(value)?.type === 'title';
}
