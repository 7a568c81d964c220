/**
 * Where a session stands as a subagent: what parent and child know each other by. Both ends compute
 * the same keys, from what each of them has.
 */

import type { Header } from './entry.ts';
import type { JsonObject } from './fields.ts';
import { canonicalJson } from './identity/canonical-json.ts';
import { sha256Hex } from './identity/sha256.ts';
import { sessionIdOfFile } from './session.ts';

export interface ParentOfFile {
  /** Null where only the header of the parent's file tells it: a subagent of a subagent. */
  readonly parentSessionId: string | null;
  /** Where it must stand, wherever the directory was moved; it may be gone. */
  readonly parentFile: string | null;
  readonly key: string;
}

/** The contract's bound of a name. */
const keyCharsMax = 500;

/**
 * omp keeps its subagents' sessions in the directory that bears their parent's name:
 * `<time>_<id>/<Name>.jsonl`, and one of a subagent in `<time>_<id>/<Name>/<Name>.<Child>.jsonl`.
 * Its advisors' transcripts stand there too. By the path, so that a copied directory tells the
 * same; the header helps where a subagent's subagent stands beside it. Null for any other session.
 */
export function parentOfFile(path: string, header: Header | null): ParentOfFile | null {
  const { directory, name } = split(path);
  const stem = stemOf(name);
  if (directory === '' || stem === null || sessionIdOfFile(name) !== null) return null;
  const key = agentKey(stem);
  const beside = parentBeside(directory, stem, header);
  if (beside !== null) return { parentSessionId: null, parentFile: beside, key };
  const parentFile = `${directory}.jsonl`;
  const parentSessionId = sessionIdOfFile(parentFile);
  return parentSessionId === null && !isBelowSubagent(directory, stem)
    ? null
    : { parentSessionId, parentFile, key };
}

/** What omp's task results call a subagent, and its file too. */
export function agentKey(name: string): string {
  return `agent:${name}`.slice(0, keyCharsMax);
}

/** All that a turn's tools let others spend. */
export function turnKey(entryId: string): string {
  return `turn:${entryId}`;
}

/**
 * One answer, as the child's session has it and as a subagent tool of pi repeats it: by response
 * id, time and figures.
 */
export function responseKeyOf(message: JsonObject): string {
  const said = canonicalJson([
    message.responseId ?? null,
    message.timestamp ?? null,
    message.usage,
  ]);
  return `response:${sha256Hex(said).slice(0, 16)}`;
}

/** `<A>/<A>.<B>.jsonl`, or a subagent's advisor, whose name omp gives to no one else. */
function isBelowSubagent(directory: string, stem: string): boolean {
  const parentName = split(directory).name;
  return (
    parentName !== '' &&
    (stem.startsWith(`${parentName}.`) || stem === '__advisor' || stem.startsWith('__advisor.'))
  );
}

function parentBeside(directory: string, stem: string, header: Header | null): string | null {
  const { name } = split(header?.parentSession ?? '');
  const parentName = stemOf(name);
  const isBeside =
    parentName !== null &&
    parentName !== split(directory).name &&
    stem.startsWith(`${parentName}.`);
  return isBeside ? `${directory}/${name}` : null;
}

function stemOf(name: string): string | null {
  return name.length > '.jsonl'.length && name.endsWith('.jsonl')
    ? name.slice(0, -'.jsonl'.length)
    : null;
}

/** With the separators of either platform: a session directory may come from elsewhere. */
function split(path: string): { directory: string; name: string } {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return { directory: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) };
}
