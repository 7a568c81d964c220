/** The tools that a made-up session calls, and how long it waits for its user. */
import type { Random } from './random.ts';
import { type DemoWork, hostOf } from './work.ts';

interface Tool {
  readonly name: string;
  readonly charsMax: number;
  readonly msMax: number;
  readonly namesFile: boolean;
}

const tools: readonly [Tool, ...Tool[]] = [
  { name: 'read', charsMax: 40_000, msMax: 60, namesFile: true },
  { name: 'bash', charsMax: 26_000, msMax: 30_000, namesFile: false },
  { name: 'edit', charsMax: 3_000, msMax: 90, namesFile: true },
  { name: 'grep', charsMax: 22_000, msMax: 900, namesFile: true },
  { name: 'write', charsMax: 900, msMax: 80, namesFile: true },
];

export interface Call {
  readonly toolName: string;
  readonly paths: readonly string[];
}

const files = 40;
const failures = 0.06;

export function pickTool(random: Random): Tool {
  return random.pick(tools);
}

export function callTool(work: DemoWork, tool: Tool): Call {
  const { recorder } = work;
  const { random } = recorder;
  const toolCallId = `call_${random.hex(8)}`;
  const waitedMs = tool.name === 'bash' ? waitForUser(work, toolCallId) : 0;
  // Most calls are short, a few take very long.
  const durationMs = 3 + Math.round(tool.msMax * random.next() ** 4);
  recorder.nowMs += durationMs;
  const path = `src/part-${random.between(1, files)}.ts`;
  const call = { toolName: tool.name, paths: tool.namesFile ? [path] : [] };
  completeTool(work, {
    ...call,
    toolCallId,
    textChars: random.between(40, tool.charsMax),
    isError: random.chance(failures),
    durationMs: durationMs + waitedMs,
  });
  return call;
}

export interface CompletedTool extends Call {
  readonly toolCallId: string;
  readonly textChars: number;
  readonly isError: boolean;
  readonly durationMs: number;
}

/** Returns the entry's id. */
export function completeTool(work: DemoWork, done: CompletedTool): string {
  const { recorder, window } = work;
  const { toolCallId, toolName, paths, textChars, isError, durationMs } = done;
  const placed = recorder.place({ textChars });
  recorder.live('pi.tool.timed.v1', { toolCallId, toolName, isError, durationMs });
  recorder.entry('pi.tool.completed.v1', {
    ...placed,
    turnEntryId: placed.parentEntryId,
    toolCallId,
    toolName,
    isError,
    durationMs: null,
    paths: [...paths],
    spend: null,
  });
  window.add(textChars);
  work.recent.push({ entryId: placed.entryId, chars: textChars });
  return placed.entryId;
}

/** omp asks before some commands. Returns how long it waited. */
function waitForUser(work: DemoWork, toolCallId: string): number {
  const { recorder } = work;
  const { random } = recorder;
  if (!hostOf(work).isOmp || !random.chance(0.15)) return 0;
  const durationMs = random.between(1_500, 90_000);
  recorder.nowMs += durationMs;
  recorder.live('pi.human.waited.v1', {
    kind: 'approval',
    toolCallId,
    toolName: 'bash',
    approved: random.chance(0.95),
    answered: true,
    turnEntryId: recorder.leaf,
    promptEntryId: recorder.promptEntryId,
    durationMs,
  });
  return durationMs;
}
