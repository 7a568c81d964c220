import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../extension/record/draft.ts';
import { readEntry } from '../../../extension/record/entry.ts';
import { type Place, rootPlace } from '../../../extension/record/place.ts';
import { recordEntry } from '../../../extension/record/record-entry.ts';
import { problemsOf } from '../support/schemas.ts';
import { eventsOf, sessionFile } from '../support/sessions.ts';

const session = { id: 's', cwd: '/srv/shop' };
const noSizes = { textChars: 0, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 0 };

function drafts(body: Record<string, unknown>, above: Place = rootPlace): readonly EventDraft[] {
  const entry = readEntry({ id: 'e1', parentId: 'e0', timestamp: '2026-11-22T01:00:00.000Z', ...body });
  if (entry === null) throw new Error('not an entry');
  const made = recordEntry(session, entry, above);
  for (const draft of made) expect(problemsOf(draft)).toEqual([]);
  return made;
}

function recorded(file: string, entryId: string): readonly EventDraft[] {
  const { header, entries } = sessionFile(file);
  return eventsOf(header, entries).filter(({ data }) => 'entryId' in data && data.entryId === entryId);
}

// Read off the recorded files by hand.
describe('recordEntry on what the hosts wrote', () => {
  it('records an answer of pi', () => {
    expect(recorded('pi15/json-autocompact', '5e46e792')).toEqual([
      {
        id: expect.stringMatching(/^01a1fff4-fc7f-8/),
        type: 'pi.turn.completed.v1',
        time: '2026-11-21T21:13:27.935Z',
        subject: '01a1fff4-fb9f-729f-bd85-4800508591d8',
        data: {
          entryId: '5e46e792',
          parentEntryId: '3aa32517',
          promptEntryId: '3aa32517',
          sizes: { ...noSizes, textChars: 83 },
          turnIndex: 0,
          spend: {
            provider: 'fake-openai',
            api: 'openai-completions',
            model: 'fake-small',
            responseModel: null,
            responseId: 'chatcmpl-126',
            inputTokens: 9000,
            outputTokens: 600,
            cacheReadTokens: 0,
            cacheWriteTokens: 0,
            reasoningTokens: 0,
            cacheWrite1hTokens: null,
            reported: true,
            costNanoUsd: 22_800_000,
            costSource: 'catalog',
            rawUsage: {
              input: 9000,
              output: 600,
              cacheRead: 0,
              cacheWrite: 0,
              reasoning: 0,
              totalTokens: 9600,
              cost: { input: 0.018, output: 0.0048, cacheRead: 0, cacheWrite: 0, total: 0.022799999999999997, totalFromProvider: false },
            },
          },
          thinkingLevel: 'off',
          stopReason: 'stop',
          rawStopReason: 'stop',
          errorStatus: null,
          requestedAtMs: 1_795_295_607_894,
          durationMs: 39,
          timeToFirstTokenMs: null,
          toolCalls: {},
        },
      },
    ]);
  });

  it('records a compaction with the model in force', () => {
    const [draft] = recorded('pi15/json-autocompact', 'a70dd6a6');
    expect(draft).toMatchObject({
      type: 'pi.compaction.completed.v1',
      data: {
        parentEntryId: '5e46e792',
        promptEntryId: '3aa32517',
        sizes: { textChars: 135, toolCallChars: 0, images: 0 },
        tokensBefore: 9600,
        tokensAfterEstimated: null,
        firstKeptEntryId: '5e46e792',
        method: null,
        fromExtension: false,
        filesRead: [],
        filesModified: [],
        spend: { provider: 'fake-openai', model: 'fake-small', inputTokens: 700, outputTokens: 120, costNanoUsd: 2_360_000 },
      },
    });
  });

  it('tells prompt and tool definitions apart where pi keeps a system message', () => {
    expect(recorded('pi15/json-autocompact', 'ff4b640b')).toMatchObject([
      { data: { role: 'system', sizes: { ...noSizes, otherChars: 67 + 498 }, toolDefinitionChars: 498, toolsAdded: 1, toolsRemoved: 0 } },
    ]);
    expect(recorded('pi15/json-autocompact', 'a70dd6a6')).toMatchObject([
      { data: { sizes: { otherChars: 67 + 498 }, systemChars: 67, toolDefinitionChars: 498 } },
    ]);
    expect(recorded('pi073/json-autocompact', '86566a37')[0]?.data).not.toHaveProperty('systemChars');
  });

  it('keeps what omp counted beside the messages with an answer', () => {
    expect(recorded('omp18/json-autocompact', '7555ee82')).toMatchObject([{ data: { nonMessageTokens: 4277 } }]);
    expect(recorded('pi15/json-autocompact', '5e46e792')[0]?.data).not.toHaveProperty('nonMessageTokens');
  });

  it('records the compaction of omp, which reports no spend', () => {
    const [draft] = recorded('omp18/json-autocompact', '8e64fe07');
    expect(draft?.data).toMatchObject({ tokensBefore: 9600, tokensAfterEstimated: 4550, method: 'soft', spend: null });
  });

  it('records a branch summary with the files that it lists', () => {
    expect(recorded('pi15/rpc-tree', '22e94b7f')[0]).toMatchObject({
      type: 'pi.branch.summarized.v1',
      data: {
        fromEntryId: '44cae668',
        filesRead: ['does-not-exist.txt', 'notes.txt'],
        filesModified: ['out.txt'],
        spend: { provider: 'fake-openai', costNanoUsd: 2_360_000 },
      },
    });
  });

  it('records a tool of omp with the file that its patch changed', () => {
    expect(recorded('omp18/rpc-tree', 'fe666061')[0]).toMatchObject({
      type: 'pi.tool.completed.v1',
      data: {
        parentEntryId: 'c6cc2057',
        turnEntryId: '4cf95ba7',
        toolCallId: 'call_272_0',
        toolName: 'edit',
        isError: false,
        paths: ['out.txt'],
        sizes: { ...noSizes, textChars: 37 },
        spend: null,
      },
    });
  });

  it('records a side call of omp with its purpose', () => {
    expect(recorded('SubA', '088f6c88')[0]).toMatchObject({
      type: 'pi.usage.recorded.v1',
      data: { kind: 'side_call', purpose: 'auto-thinking', spend: { model: 'fake-gpt', reasoningTokens: 20, costNanoUsd: 5_600_000 } },
    });
  });

  it("records the user's own shell command by its size alone", () => {
    const chars = 'echo user-bash'.length + 'user-bash\n'.length;
    expect(recorded('45-269Z', '74e8992e')[0]).toMatchObject({
      type: 'pi.message.appended.v1',
      data: { role: 'bashExecution', sizes: { ...noSizes, otherChars: chars } },
    });
  });
});

describe('recordEntry', () => {
  const usage = { input: 10, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 12, cost: { total: 0.001 } };

  it("records a tool's nested model work as spend of the tool", () => {
    const above = { ...rootPlace, turnEntryId: 't', toolCalls: [{ id: 'c', name: 'ask', paths: ['a.ts', '/etc/hosts'] }] };
    const message = { role: 'toolResult', toolCallId: 'c', isError: true, content: [], usage, durationMs: 5 };
    expect(drafts({ type: 'message', message }, above)).toMatchObject([
      {
        type: 'pi.tool.completed.v1',
        data: {
          turnEntryId: 't',
          toolName: 'ask',
          isError: true,
          durationMs: 5,
          paths: ['a.ts', expect.stringContaining('<outside>/')],
          spend: { provider: null, model: null, costNanoUsd: 1_000_000 },
        },
      },
    ]);
  });

  it("records pi's usage entries under the kind that they name", () => {
    const warm = { type: 'usage', kind: 'cache_warm', provider: 'anthropic', model: 'claude', usage, note: 'private words' };
    expect(drafts(warm)).toMatchObject([
      { type: 'pi.usage.recorded.v1', data: { kind: 'cache_warm', purpose: null, spend: { provider: 'anthropic', model: 'claude' } } },
    ]);
    expect(JSON.stringify(drafts(warm))).not.toContain('private words');
    expect(drafts({ ...warm, kind: undefined })).toMatchObject([{ data: { kind: 'usage' } }]);
  });

  it('records spend of a type that nobody knows yet under its name', () => {
    expect(drafts({ type: 'image_call', usage, provider: 'p', model: 'm' })).toMatchObject([
      { type: 'pi.usage.recorded.v1', data: { kind: 'image_call', spend: { provider: 'p', model: 'm', inputTokens: 10 } } },
    ]);
  });

  it('records a message of an unknown role, and its spend as well', () => {
    const made = drafts({ type: 'message', message: { role: 'oracle', content: 'yes', usage } });
    expect(made).toMatchObject([
      { type: 'pi.message.appended.v1', data: { role: 'oracle', sizes: { textChars: 3 } } },
      { type: 'pi.usage.recorded.v1', data: { kind: 'oracle' } },
    ]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(2);
  });

  it('records a failed attempt as unreported', () => {
    const message = {
      role: 'assistant',
      content: [],
      stopReason: 'error',
      errorStatus: 529,
      errorMessage: 'private words',
      usage: { input: 0 },
    };
    const made = drafts({ type: 'message', message });
    expect(made).toMatchObject([{ data: { stopReason: 'error', errorStatus: 529, spend: { reported: false, costNanoUsd: null } } }]);
    expect(JSON.stringify(made)).not.toContain('private words');
  });

  it('counts tool calls by name', () => {
    const call = (name: unknown) => ({ type: 'toolCall', id: 'c', name, arguments: {} });
    const content = [call('read'), call('read'), call('__proto__'), call(7)];
    const [draft] = drafts({ type: 'message', message: { role: 'assistant', content } });
    expect(JSON.parse(JSON.stringify(draft?.data)).toolCalls).toEqual(JSON.parse('{"read":2,"__proto__":1,"unknown":1}'));
  });

  it('records prompts, extensions’ messages and changes of the model', () => {
    expect(drafts({ type: 'message', message: { role: 'user', content: [{ type: 'image' }], attribution: 'agent' } })).toMatchObject([
      { type: 'pi.prompt.submitted.v1', data: { attribution: 'agent', sizes: { images: 1 } } },
    ]);
    expect(drafts({ type: 'custom_message', customType: 'x', content: 'abc' })).toMatchObject([{ data: { role: 'custom_message' } }]);
    expect(drafts({ type: 'model_change', model: 'a/b', role: 'smol' })).toMatchObject([
      { data: { changed: 'model', provider: 'a', model: 'b', role: 'smol', thinkingLevel: null } },
    ]);
    expect(drafts({ type: 'thinking_level_change', thinkingLevel: null })).toMatchObject([
      { data: { changed: 'thinkingLevel', thinkingLevel: null } },
    ]);
  });

  it('records what pi takes out of the context, and what it puts in its place', () => {
    expect(drafts({ type: 'context_edit', targetId: 'e0', replacement: null })).toMatchObject([
      { type: 'pi.context.edited.v1', data: { targetEntryId: 'e0', removed: true, sizes: noSizes } },
    ]);
    expect(drafts({ type: 'context_edit', targetId: 'e0', replacement: { content: [{ type: 'text', text: 'short' }] } })).toMatchObject([
      { data: { targetEntryId: 'e0', removed: false, sizes: { ...noSizes, textChars: 5 } } },
    ]);
    expect(drafts({ type: 'context_edit' })).toEqual([]);
  });

  it('records that omp drops everything above', () => {
    expect(drafts({ type: 'reset_boundary' })).toMatchObject([
      { type: 'pi.context.edited.v1', data: { targetEntryId: null, removed: true } },
    ]);
  });

  it.each(['custom', 'label', 'session_info', 'title_change', 'session_init', 'mode_change'])(
    'has nothing to say of a %s entry',
    (type) => {
      expect(drafts({ type, data: { secret: 1 }, label: 'x', task: 'y' })).toEqual([]);
    },
  );

  it.each([
    '2026-11-22T01:00:00.000Z',
    '2026-11-22T01:00:00Z',
    '2026-11-22T01:00:00.000+02:00',
    '2026-02-30T01:00:00.000Z',
    '2026-01-31T24:00:00.000Z',
    '2026-01-29T23:59:59.999Z',
    '1970-01-01T00:00:00.000Z',
    '+002026-01-01T00:00:00.000Z',
    'Sun, 22 Nov 2026 01:00:00 GMT',
  ])('writes the time %s as all events do', (timestamp) => {
    const [draft] = drafts({ type: 'message', message: { role: 'user', content: 'x' }, timestamp });
    const ms = Date.parse(timestamp);
    expect(draft?.time ?? null).toBe(Number.isNaN(ms) ? null : new Date(ms).toISOString());
  });

  it('has nothing to say of an entry without a readable time', () => {
    expect(drafts({ type: 'usage', usage, timestamp: 'yesterday' })).toEqual([]);
  });

  it.each([undefined, null, 'x', 7, [], { role: 7 }, { role: 'assistant', content: 'x', usage: 'y', timestamp: 'z', toolCalls: 3 }])(
    'stays valid with the message %j',
    (message) => {
      expect(drafts({ type: 'message', message }).length).toBeGreaterThan(0);
    },
  );
});
