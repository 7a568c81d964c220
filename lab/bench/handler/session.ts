/**
 * A session in memory that behaves like pi's session manager: an entry costs one look-up, all
 * entries cost a copy.
 */

interface SessionEntry {
  readonly type: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

export interface BenchSession {
  /** The handlers' `ctx`. */
  readonly ctx: object;
  /** Each appends one entry below the leaf. */
  submitPrompt(): void;
  /** `requestedAtMs`: wall clock. */
  answer(toolCallId: string | null, requestedAtMs: number): void;
  endTool(toolCallId: string): void;
}

/** Started yesterday, by a process without the extension: none of its content is new. */
export function createSession(directory: string, entryCount: number): BenchSession {
  const id = crypto.randomUUID();
  const header = {
    type: 'session',
    version: 3,
    id,
    timestamp: new Date(Date.now() - 86_400_000).toISOString(),
    cwd: directory,
  };
  const fileEntries: (typeof header | SessionEntry)[] = [header];
  const byId = new Map<string, SessionEntry>();
  let leafId: string | null = null;

  const append = (message: object) => appendEntry({ type: 'message', message });
  function appendEntry(body: Readonly<Record<string, unknown>> & { readonly type: string }): void {
    const entry = {
      ...body,
      id: newEntryId(byId),
      parentId: leafId,
      timestamp: new Date().toISOString(),
    };
    fileEntries.push(entry);
    byId.set(entry.id, entry);
    leafId = entry.id;
  }

  const session: BenchSession = {
    ctx: {
      cwd: directory,
      mode: 'tui',
      hasUI: false,
      model: { provider: 'acme', id: 'large', contextWindow: 200_000 },
      modelRegistry: { isUsingOAuth: () => false },
      getContextUsage: () => ({ tokens: 50_000, contextWindow: 200_000, percent: 25 }),
      sessionManager: {
        getSessionId: () => id,
        getHeader: () => header,
        getSessionFile: () => `${directory}/session.jsonl`,
        getLeafId: () => leafId,
        getEntry: (entryId: string) => byId.get(entryId),
        getEntries: () => fileEntries.filter((entry) => entry.type !== 'session'),
      },
    },
    submitPrompt: () =>
      append({ role: 'user', content: [{ type: 'text', text: text(200) }], timestamp: Date.now() }),
    answer: (toolCallId, requestedAtMs) => append(assistantMessage(toolCallId, requestedAtMs)),
    endTool: (toolCallId) =>
      append({
        role: 'toolResult',
        toolCallId,
        toolName: 'read',
        content: [{ type: 'text', text: text(2_000) }],
        isError: false,
        timestamp: Date.now(),
      }),
  };
  // Like the beginning of pi's files: model and thinking level are only set at the top.
  appendEntry({ type: 'model_change', provider: 'acme', modelId: 'large' });
  appendEntry({ type: 'thinking_level_change', thinkingLevel: 'medium' });
  for (let entries = 0; entries < entryCount; entries += 10) {
    session.submitPrompt();
    for (let turn = 0; turn < 4; turn += 1) {
      session.answer(`call_${entries}_${turn}`, Date.now());
      session.endTool(`call_${entries}_${turn}`);
    }
    session.answer(null, Date.now());
  }
  return session;
}

/** Like the hosts' ids: eight hex digits, unique within the session. */
function newEntryId(taken: ReadonlyMap<string, unknown>): string {
  const entryId = crypto.randomUUID().slice(0, 8);
  return taken.has(entryId) ? newEntryId(taken) : entryId;
}

function text(chars: number): string {
  return 'lorem ipsum '.repeat(Math.ceil(chars / 12)).slice(0, chars);
}

function assistantMessage(toolCallId: string | null, requestedAtMs: number): object {
  const call = {
    type: 'toolCall',
    id: toolCallId,
    name: 'read',
    arguments: { path: 'src/part-1.ts' },
  };
  return {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: text(400) },
      { type: 'text', text: text(600) },
      ...(toolCallId === null ? [] : [call]),
    ],
    api: 'openai-completions',
    provider: 'acme',
    model: 'large',
    usage: {
      input: 110,
      output: 51,
      cacheRead: 41_000,
      cacheWrite: 300,
      reasoning: 12,
      totalTokens: 41_461,
      cost: {
        input: 0.00022,
        output: 0.000408,
        cacheRead: 0.0205,
        cacheWrite: 0.00075,
        total: 0.021878,
        totalFromProvider: false,
      },
    },
    stopReason: toolCallId === null ? 'stop' : 'toolUse',
    responseId: `chatcmpl-${crypto.randomUUID()}`,
    timestamp: requestedAtMs,
  };
}
