/**
 * How parent and child sessions identify each other. Both sides compute the same keys from what
 * they have.
 */

import type { Header } from './entry.ts';
import type { JsonObject } from './fields.ts';
import { canonicalJson } from './identity/canonical-json.ts';
import { sha256Hex } from './identity/sha256.ts';
import { sessionIdOfFile } from './session.ts';

export interface ParentOfFile {
  /** It is null if only the header of the parent's file tells it: a subagent of a subagent. */
  readonly parentSessionId: string | null;
  /** Where the parent's file must be, even if the directory was moved; it may be missing. */
  readonly parentFile: string | null;
  readonly key: string;
}

/** The contract's limit for a name. */
const keyCharsMax = 500;

/**
 * omp stores its subagents' sessions in a directory named after their parent:
 * `<time>_<id>/<Name>.jsonl`, and those of a subagent in `<time>_<id>/<Name>/<Name>.<Child>.jsonl`.
 * Its advisors' transcripts are there too. Determined by the path, so that a copied directory gives
 * the same result; the header helps if a subagent's subagent is stored beside it, or if users named
 * the parent's file (`--session talk.jsonl`). Null for any other session.
 */
export function parentOfFile(path: string, header: Header | null): ParentOfFile | null {
  const { directory, name } = split(path);
  const stem = stripEnding(name);
  if (directory === '' || stem === null || sessionIdOfFile(name) !== null) return null;
  const key = agentKey(stem);
  const beside = parentBeside(directory, stem, header);
  if (beside !== null) return { parentSessionId: null, parentFile: beside, key };
  const parentFile = `${directory}.jsonl`;
  const parentSessionId = sessionIdOfFile(parentFile);
  // A session may lie in a folder of its own name.
  if (header !== null && parentSessionId === header.id) return null;
  const isPlaced =
    parentSessionId !== null ||
    isBelowSubagent(directory, stem) ||
    fileNamed(header) === split(parentFile).name;
  return isPlaced ? { parentSessionId, parentFile, key } : null;
}

/** The name of a subagent in omp's task results and of its file. */
export function agentKey(name: string): string {
  return `agent:${name}`.slice(0, keyCharsMax);
}

/** Everything that a turn's tools spent through others. */
export function turnKey(entryId: string): string {
  return `turn:${entryId}`;
}

/**
 * Identifies an answer in the child's session and in pi's subagent tools by response id, time and
 * figures.
 */
export function responseKeyOf(message: JsonObject): string {
  const { responseId, timestamp, usage } = message;
  const said = [plain(responseId), plain(timestamp), canonicalJson(usage ?? null)].join(',');
  return `response:${sha256Hex(`[${said}]`).slice(0, 16)}`;
}

function plain(value: unknown): string {
  return typeof value === 'object' ? 'null' : canonicalJson(value);
}

/** `<A>/<A>.<B>.jsonl`, or a subagent's advisor, whose name omp reserves. */
function isBelowSubagent(directory: string, stem: string): boolean {
  const parentName = split(directory).name;
  return (
    parentName !== '' &&
    (stem.startsWith(`${parentName}.`) || stem === '__advisor' || stem.startsWith('__advisor.'))
  );
}

function parentBeside(directory: string, stem: string, header: Header | null): string | null {
  const name = fileNamed(header);
  const parentName = stripEnding(name);
  const isBeside =
    parentName !== null &&
    parentName !== split(directory).name &&
    stem.startsWith(`${parentName}.`);
  return isBeside ? `${directory}/${name}` : null;
}

/** The name of the file that the header calls the parent's. */
function fileNamed(header: Header | null): string {
  return split(header?.parentSession ?? '').name;
}

function stripEnding(name: string): string | null {
  return /^(.+)\.jsonl$/is.exec(name)?.[1] ?? null;
}

/** Accepts the separators of both platforms: a session directory may come from another machine. */
function split(path: string): { directory: string; name: string } {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return { directory: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) };
}
