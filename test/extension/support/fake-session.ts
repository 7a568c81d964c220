/**
 * A host's session in memory: the tree, its leaf, and the context that handlers receive. Only for
 * what no real host can be made to do.
 */

export interface FakeSession {
  readonly id: string;
  readonly header: Record<string, unknown>;
  /** In file order. */
  readonly entries: Record<string, unknown>[];
  leafId: string | null;
  /** Null for a session in memory only. */
  readonly file: string | null;
}

export interface SessionOptions {
  readonly hasFile?: boolean;
  /** Replaces the usual file name. */
  readonly file?: string;
  readonly parentSession?: string | undefined;
}

export function newSession(id: string, timeMs: number, options: SessionOptions = {}): FakeSession {
  const { hasFile = true, parentSession } = options;
  const timestamp = new Date(timeMs).toISOString();
  const header = {
    type: 'session',
    version: 3,
    id,
    timestamp,
    cwd: '/srv/shop',
    ...(parentSession && { parentSession }),
  };
  const file = hasFile
    ? (options.file ?? `/sessions/${timestamp.replace(/[:.]/g, '-')}_${id}.jsonl`)
    : null;
  return { id, header, entries: [], leafId: null, file };
}

/** Appends like a host: below the leaf, which moves there. */
export function append(
  session: FakeSession,
  id: string,
  timeMs: number,
  body: Record<string, unknown>,
): void {
  session.entries.push({
    id,
    parentId: session.leafId,
    timestamp: new Date(timeMs).toISOString(),
    ...body,
  });
  session.leafId = id;
}

/** Forks like a host: copies the path to the leaf verbatim into a new session. */
export function fork(from: FakeSession, id: string, timeMs: number): FakeSession {
  const session = newSession(id, timeMs, { parentSession: fileOf(from) });
  const byId = new Map(from.entries.map((entry) => [entry.id, entry]));
  const path: Record<string, unknown>[] = [];
  for (let entry = byId.get(from.leafId); entry !== undefined; entry = byId.get(entry.parentId))
    path.unshift(entry);
  session.entries.push(...path);
  session.leafId = from.leafId;
  return session;
}

export function fileOf(session: FakeSession): string {
  if (session.file === null) throw new Error('this session has no file');
  return session.file;
}

export interface FakeContext {
  readonly cwd: string;
  readonly mode: string;
  readonly hasUI: boolean;
  readonly model: Record<string, unknown> | undefined;
  readonly [key: string]: unknown;
}

export function contextOf(
  session: FakeSession,
  overrides: Record<string, unknown> = {},
): FakeContext {
  const byId = (id: string) => session.entries.find((entry) => entry.id === id);
  return {
    cwd: '/srv/shop',
    mode: 'print',
    hasUI: false,
    model: { provider: 'anthropic', id: 'claude', contextWindow: 200_000 },
    modelRegistry: { isUsingOAuth: () => false },
    getContextUsage: () => ({ tokens: null, contextWindow: 200_000, percent: null }),
    sessionManager: {
      getSessionId: () => session.id,
      getHeader: () => session.header,
      getSessionFile: () => session.file ?? undefined,
      getLeafId: () => session.leafId,
      getEntry: byId,
      getEntries: () => [...session.entries],
    },
    ...overrides,
  };
}

/** The context of a session that is over: every getter throws, as in pi. */
export function deadContext(): object {
  const keys = [
    'cwd',
    'mode',
    'hasUI',
    'model',
    'sessionManager',
    'modelRegistry',
    'ui',
    'agent',
    'getContextUsage',
  ];
  const refuse = () => {
    throw new Error('This extension ctx is stale');
  };
  return Object.defineProperties({}, Object.fromEntries(keys.map((key) => [key, { get: refuse }])));
}

export const usage = (input: number) => ({
  input,
  output: 7,
  cacheRead: 3,
  cacheWrite: 0,
  totalTokens: input + 10,
  cost: { total: input / 1e6 },
});
export const userSays = (text = 'go') => ({
  type: 'message',
  message: { role: 'user', content: text },
});
export const answer = (responseId: string, options: Record<string, unknown> = {}) => ({
  type: 'message',
  message: {
    role: 'assistant',
    content: [],
    provider: 'anthropic',
    model: 'claude',
    usage: usage(100),
    stopReason: 'stop',
    responseId,
    ...options,
  },
});
export const toolCall = (id: string, name: string, args: Record<string, unknown> = {}) => ({
  type: 'toolCall',
  id,
  name,
  arguments: args,
});
export const toolResult = (
  toolCallId: string,
  toolName: string,
  isError = false,
  details?: Record<string, unknown>,
) => ({
  type: 'message',
  message: {
    role: 'toolResult',
    toolCallId,
    toolName,
    content: [],
    isError,
    ...(details && { details }),
  },
});
