/**
 * Made-up session files, as pi writes them, to try and measure the importer with: prompts, answers
 * that think and call tools, results as long as source files, forks. The same options give the same
 * files, byte for byte.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { demoModels, demoProjects, demoUsers } from './cast.ts';
import { type Random, seededRandom } from './random.ts';

export interface DemoFilesOptions {
  /** Is made, and should be empty. */
  readonly directory: string;
  /** About so many in all. */
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
const dayMs = 86_400_000;
/**
 * Every so many files one is a fork of the one before: it begins with copies of that one's entries.
 */
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
  /** The first lines behind the header, and the id of the last one of them. */
  readonly head: { readonly lines: string; readonly leafId: string; readonly entries: number };
}

interface SessionWish {
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
}: SessionWish): WrittenSession {
  const beginMs = forkOf === null ? startMs : forkOf.endMs + 60_000;
  const id = uuid(beginMs, random);
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

function createStory(beginMs: number, parentId: string | null, random: Random, words: Words) {
  const model = random.pick(demoModels);
  let nowMs = beginMs;
  let leafId = parentId;
  let entries = 0;
  let contextTokens = 8_000;
  let pending: { id: string; name: string } | null = null;
  let turnsLeft = 0;

  const line = (type: string, body: object): string => {
    nowMs += random.between(50, 9_000);
    const id = random.hex(8);
    const text = `${JSON.stringify({ type, id, parentId: leafId, timestamp: new Date(nowMs).toISOString(), ...body })}\n`;
    leafId = id;
    entries += 1;
    return text;
  };
  const message = (role: string, body: object) =>
    line('message', { message: { role, ...body, timestamp: nowMs } });

  const usage = (output: number) => {
    const input = random.between(50, 2_500);
    const cacheRead = contextTokens;
    const cost = {
      input: input * 3e-6,
      output: output * 15e-6,
      cacheRead: cacheRead * 3e-7,
      cacheWrite: 0,
    };
    contextTokens = contextTokens > 150_000 ? 12_000 : contextTokens + input + output;
    return {
      input,
      output,
      cacheRead,
      cacheWrite: 0,
      totalTokens: input + output + cacheRead,
      cost: { ...cost, total: cost.input + cost.output + cost.cacheRead },
    };
  };

  const answer = (): string => {
    const output = random.between(60, 1_500);
    const call = turnsLeft > 0 ? { id: `call_${random.hex(24)}`, name: random.pick(tools) } : null;
    pending = call;
    const called =
      call === null ? [] : [{ type: 'toolCall', ...call, arguments: words.argumentsOf(call.name) }];
    return message('assistant', {
      content: [
        { type: 'thinking', thinking: words.prose(output), thinkingSignature: random.hex(64) },
        { type: 'text', text: words.prose(output * 2) },
        ...called,
      ],
      api: model.api,
      provider: model.provider,
      model: model.model,
      usage: usage(output),
      stopReason: call === null ? 'stop' : 'toolUse',
      responseId: `msg_${random.hex(24)}`,
    });
  };

  const result = ({ id, name }: { id: string; name: string }): string => {
    pending = null;
    turnsLeft -= 1;
    const text =
      name === 'read' || random.chance(0.2)
        ? words.code(random.between(2_000, 24_000))
        : words.code(random.between(60, 3_000));
    return message('toolResult', {
      toolCallId: id,
      toolName: name,
      content: [{ type: 'text', text }],
      isError: random.chance(0.05),
    });
  };

  return {
    entries: () => entries,
    leafId: () => leafId ?? '',
    nowMs: () => nowMs,
    next(): string {
      if (entries === 0)
        return line('model_change', { provider: model.provider, modelId: model.model });
      if (pending !== null) return result(pending);
      if (turnsLeft > 0) return answer();
      if (turnsLeft === 0) {
        turnsLeft = -1;
        return message('user', {
          content: [{ type: 'text', text: words.prose(random.between(20, 900)) }],
        });
      }
      turnsLeft = random.between(2, 14);
      return answer();
    },
  };
}

const tools = ['read', 'bash', 'edit', 'grep', 'write'] as const;

type Words = ReturnType<typeof createWords>;

/** Pieces of one long text: making new words for gigabytes would take longer than reading them. */
function createWords(random: Random) {
  const lines = Array.from(
    { length: 4_000 },
    (_, index) =>
      `${'  '.repeat(index % 4)}const value${random.between(0, 999)} = read("${random.hex(6)}", ${index});`,
  );
  const code = lines.join('\n');
  const prose = Array.from({ length: 12_000 }, () => random.pick(vocabulary)).join(' ');
  const cut = (text: string, chars: number) => {
    const from = random.between(0, text.length - chars - 1);
    return text.slice(from, from + chars);
  };
  return {
    code: (chars: number) => cut(code, chars),
    prose: (chars: number) => cut(prose, chars),
    argumentsOf: (tool: string) =>
      tool === 'bash'
        ? { command: cut(prose, 60) }
        : {
            path: `src/part-${random.between(1, 40)}.ts`,
            ...(tool === 'edit'
              ? { edits: [{ oldText: cut(code, 200), newText: cut(code, 300) }] }
              : {}),
          },
  };
}

const vocabulary = [
  'the',
  'ledger',
  'reads',
  'a',
  'file',
  'and',
  'writes',
  'what',
  'it',
  'found',
  'so',
  'that',
  'every',
  'token',
  'counts',
  'once',
] as const;

function uuid(timeMs: number, random: Random): string {
  const time = timeMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.hex(3)}-8${random.hex(3)}-${random.hex(12)}`;
}
