import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../core/record/draft.ts';
import { eventsOf, sessionFile } from '../../extension/support/sessions.ts';

const noSizes = { textChars: 0, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 0 };

function recorded(file: string, entryId: string): readonly EventDraft[] {
  const { header, entries } = sessionFile(file);
  return eventsOf(header, entries).filter(
    ({ data }) => 'entryId' in data && data.entryId === entryId,
  );
}

// Expected values were read from the recorded files by hand.
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
              cost: {
                input: 0.018,
                output: 0.0048,
                cacheRead: 0,
                cacheWrite: 0,
                total: 0.022799999999999997,
                totalFromProvider: false,
              },
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
        spend: {
          provider: 'fake-openai',
          model: 'fake-small',
          inputTokens: 700,
          outputTokens: 120,
          costNanoUsd: 2_360_000,
        },
      },
    });
  });

  it('tells prompt and tool definitions apart where pi keeps a system message', () => {
    expect(recorded('pi15/json-autocompact', 'ff4b640b')).toMatchObject([
      {
        data: {
          role: 'system',
          sizes: { ...noSizes, otherChars: 67 + 498 },
          toolDefinitionChars: 498,
          toolsAdded: 1,
          toolsRemoved: 0,
        },
      },
    ]);
    expect(recorded('pi15/json-autocompact', 'a70dd6a6')).toMatchObject([
      { data: { sizes: { otherChars: 67 + 498 }, systemChars: 67, toolDefinitionChars: 498 } },
    ]);
    expect(recorded('pi073/json-autocompact', '86566a37')[0]?.data).not.toHaveProperty(
      'systemChars',
    );
  });

  it('keeps omp’s count of non-message tokens with an answer', () => {
    expect(recorded('omp18/json-autocompact', '7555ee82')).toMatchObject([
      { data: { nonMessageTokens: 4277 } },
    ]);
    expect(recorded('pi15/json-autocompact', '5e46e792')[0]?.data).not.toHaveProperty(
      'nonMessageTokens',
    );
  });

  it('records the compaction of omp, which reports no spend', () => {
    const [draft] = recorded('omp18/json-autocompact', '8e64fe07');
    expect(draft?.data).toMatchObject({
      tokensBefore: 9600,
      tokensAfterEstimated: 4550,
      method: 'soft',
      spend: null,
    });
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
      data: {
        kind: 'side_call',
        purpose: 'auto-thinking',
        spend: { model: 'fake-gpt', reasoningTokens: 20, costNanoUsd: 5_600_000 },
      },
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
