/**
 * What one reading of a session file has come to: line after line in; events, issues and claims out.
 *
 * Guarantees: nothing that stands in a line throws. Does no I/O but what the entry recorder does.
 */
import type { EventDraft } from '@pi-ledger/extension/record/draft';
import { type Entry, type Header, readEntry, readHeader, timeMsOf } from '@pi-ledger/extension/record/entry';
import { asObject } from '@pi-ledger/extension/record/fields';
import { createBatches, type EventBatch } from './batches.ts';
import { createEntryRecorder, type EntryRecorder, hasSpend, type Standing } from './entry-recorder.ts';
import { headerByName } from './file-header.ts';
import { found, foundInText } from './found.ts';
import { createIssues, type IssueCode, type Issues } from './issues.ts';
import type { Bookmark, Claim, ReadJob, ReadMeans } from './read-job.ts';
import type { Line } from './session-file.ts';
import { unknownUsageIn } from './unknown-usage.ts';

export interface Reading {
  readonly issues: Issues;
  readonly claims: readonly Claim[];
  /** Bytes of the lines that were taken. */
  readonly bytes: number;
  /** Behind the last line that needs no second reading. */
  readonly position: { readonly offset: number; readonly lines: number };
  issue(code: IssueCode, line: number | null, message: string): void;
  take(line: Line): TakenLine;
  /** A batch that is full, or null. */
  full(): EventBatch | null;
  /** All that is left, when the last line was taken. */
  finish(): EventBatch;
  /** Null while nothing could be made of the file. */
  result(): Pick<Bookmark, 'header' | 'standing'> | null;
}

/** `again`: an entry hangs below one that was read long before, so that the file has to be read from its start. */
type TakenLine = 'next' | 'again' | 'give up';

/** Without a header by then it is a file of another kind. */
const foreignLinesMax = 20;
/** Longer lines of blanks are no JSON. */
const blankBytesMax = 1_000;
const claimsMax = 100_000;
/** The only format that was ever seen whose entries can be known again. */
const formatVersion = 3;

export function createReading(job: ReadJob, means: ReadMeans, from: Bookmark | null): Reading {
  const { path, importer } = job;
  const issues = createIssues();
  const claims: Claim[] = [];
  const batches = createBatches(`/importers/${importer}`);
  let position = { offset: from?.offset ?? 0, lines: from?.lines ?? 0 };
  let bytes = 0;
  let opened: { readonly header: Header; readonly recorder: EntryRecorder } | null = null;
  if (from !== null) open(from.header, true, from.standing);

  function issue(code: IssueCode, line: number | null, message: string): void {
    issues.add({ code, file: path, line, message });
  }

  function open(header: Header, isHeaderRead: boolean, standing: Standing | null): EntryRecorder {
    const recorder = createEntryRecorder({ ...job, ...means, header, isHeaderRead, standing });
    if (standing === null) batches.add(recorder.begin());
    opened = { header, recorder };
    return recorder;
  }

  function takeLine(line: Line): TakenLine {
    if (line.text === null) {
      issue('line_too_long', line.number, `a line of ${line.bytes} bytes is longer than is read`);
      return 'next';
    }
    if (line.bytes < blankBytesMax && line.text.trim() === '') return 'next';
    const parsed = parse(line.text);
    if (parsed === undefined && !line.isFinished) {
      issue('half_line', line.number, `the last line breaks off after ${line.bytes} bytes: what stands before it counts`);
      return 'next';
    }
    if (!line.isUtf8) issue('not_utf8', line.number, 'expected UTF-8; what is none was replaced');
    if (parsed !== undefined) return takeValue(parsed.value, line);
    issue('not_json', line.number, `expected one JSON object, found ${foundInText(line.text)}`);
    return 'next';
  }

  function takeValue(value: unknown, line: Line): TakenLine {
    if (opened === null && takeHeader(value, line)) return 'next';
    const entry = readEntry(value);
    if (entry === null) return isTitle(value) ? 'next' : takeForeign(value, line);
    const recorder = opened?.recorder ?? openByName(line);
    return recorder === null ? 'give up' : takeEntry(recorder, entry, line);
  }

  function takeEntry(recorder: EntryRecorder, entry: Entry, line: Line): TakenLine {
    const taken = recorder.take(entry);
    if (taken.kind === 'unknown parent') return 'again';
    if (taken.kind === 'nested too deep')
      issue('nested_too_deep', line.number, 'expected an entry, found one nested too deep: not counted');
    if (taken.kind !== 'drafts') return 'next';
    batches.add(taken.drafts);
    noteClaims(taken.drafts, line);
    noteMissingText(taken.drafts, line);
    noteDoubts(entry, taken.drafts, line);
    return 'next';
  }

  /** True when the line was the header. */
  function takeHeader(value: unknown, line: Line): boolean {
    const header = readHeader(value);
    if (header === null) return false;
    const { formatVersion: version } = header;
    if (version !== formatVersion) {
      issue('version_unknown', line.number, `format version ${version ?? 'missing'}, expected ${formatVersion}: read all the same`);
    }
    open(header, true, null);
    return true;
  }

  /** The first entry came, and no header before it. */
  function openByName(line: Line): EntryRecorder | null {
    const header = headerByName(path);
    const consequence = header === null ? 'the file is left out' : 'session and time are taken from the file name';
    issue('no_header', line.number, `expected {"type":"session","id":...,"timestamp":...} in front of the first entry: ${consequence}`);
    return header === null ? null : open(header, false, null);
  }

  function takeForeign(value: unknown, line: Line): TakenLine {
    issue('not_an_entry', line.number, `expected an object with "type", "id" and "timestamp", found ${found(value)}`);
    return opened === null && issues.count >= foreignLinesMax ? 'give up' : 'next';
  }

  function noteClaims(drafts: readonly EventDraft[], { number }: Line): void {
    for (const draft of drafts) {
      if (draft.type !== 'pi.subagent.claimed.v1') continue;
      const { key, turnEntryId, entryId } = draft.data;
      if (!key.startsWith('response:')) continue;
      if (claims.length < claimsMax) claims.push({ key, sessionId: draft.subject, turnEntryId: turnEntryId ?? entryId, time: draft.time });
      else issue('claim_left_out', number, `more than ${claimsMax} answers of subagents: whose session this one is in is not looked for`);
    }
  }

  function noteMissingText(drafts: readonly EventDraft[], { number }: Line): void {
    const problem = means.contents?.problem() ?? null;
    if (problem === null || !drafts.some(isWithoutText)) return;
    issue('text_left_out', number, `the text of a summary is left out: ${problem}`);
  }

  function noteDoubts(entry: Entry, drafts: readonly EventDraft[], { number }: Line): void {
    if (drafts.length === 0 && timeMsOf(entry.timestamp) === null) {
      issue('no_time', number, `expected a time such as 2026-11-22T09:00:00.000Z, found ${foundInText(entry.timestamp)}: not counted`);
      return;
    }
    if (drafts.some((draft) => hasSpend(draft) || draft.type === 'pi.subagent.claimed.v1')) return;
    const place = unknownUsageIn(entry.body);
    if (place === null) return;
    issue('usage_in_unknown_place', number, `an entry of type ${entry.type} has usage at ${place}, where none is known: not counted`);
  }

  return {
    issues,
    claims,
    get bytes() {
      return bytes;
    },
    get position() {
      return position;
    },
    issue,
    take(line) {
      bytes += line.bytes;
      batches.read(line.bytes);
      const taken = takeLine(line);
      // What is unfinished is read again when it has its end.
      if (taken === 'next' && line.isFinished) position = { offset: line.offset + line.bytes, lines: line.number };
      return taken;
    },
    full: batches.full,
    finish() {
      if (opened !== null) batches.add(opened.recorder.end());
      else if (bytes > 0 && !issues.list.some(({ code }) => code === 'no_header')) {
        // What kind of file it is says more than each of its lines.
        issues.clear();
        issue('no_header', null, 'no header and no entry of a session in its first lines: the file is left out');
      }
      return batches.rest();
    },
    result: () => (opened === null ? null : { header: opened.header, standing: opened.recorder.standing }),
  };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // the caller says where
  }
}

function isWithoutText({ type, data }: EventDraft): boolean {
  if (type !== 'pi.compaction.completed.v1' && type !== 'pi.branch.summarized.v1') return false;
  return data.summaryText === undefined && data.sizes.textChars > 0;
}

/** omp's title slot. */
function isTitle(value: unknown): boolean {
  return asObject(value)?.type === 'title';
}
