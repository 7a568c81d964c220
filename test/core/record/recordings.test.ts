/** All recorded session files of three hosts, run through the recorders. */
import { describe, expect, it } from 'vitest';
import type { Spend } from '../../../contract/index.ts';
import { copiedCount } from '../../../core/record/copied.ts';
import type { EventDraft } from '../../../core/record/draft.ts';
import { recordSessionStarted } from '../../../core/record/session.ts';
import { problemsOf } from '../../extension/support/schemas.ts';
import { eventsOf, type SessionFile, sessionFiles } from '../../extension/support/sessions.ts';

function drafts({ header, entries, parent }: SessionFile): readonly EventDraft[] {
  return [recordSessionStarted(header), ...eventsOf(header, entries, parent)];
}

function spends(made: readonly EventDraft[]): readonly Spend[] {
  return made.flatMap(({ data }) => ('spend' in data && data.spend !== null ? [data.spend] : []));
}

/** Usage objects found directly in the JSON, wherever they are, whatever the entry type. */
function usagesIn({ values, header, entries }: SessionFile): readonly Record<string, unknown>[] {
  const copied = new Set(entries.slice(0, copiedCount(header, entries)).map(({ id }) => id));
  return values.flatMap((value) => {
    const message = (value.message ?? {}) as Record<string, unknown>;
    const usage = (value.usage ?? message.usage) as Record<string, unknown> | undefined;
    return usage === undefined || copied.has(String(value.id)) ? [] : [usage];
  });
}

const nanoUsd = (usage: Record<string, unknown>) =>
  Math.round((usage.cost as { total: number }).total * 1e9);
const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

describe.each(['pi073', 'pi087', 'pi15', 'omp18'])('what %s wrote', (host) => {
  const files = sessionFiles.filter((file) => file.host === host);

  it.each(files.map((file) => [file.name, file] as const))(
    'makes only valid events: %s',
    (_name, file) => {
      expect(drafts(file).flatMap(problemsOf)).toEqual([]);
      expect(drafts(file).length).toBeGreaterThan(2);
    },
  );

  it.each(files.map((file) => [file.name, file] as const))(
    'adds up to its usage objects: %s',
    (_name, file) => {
      const usages = usagesIn(file);
      const made = spends(drafts(file));
      expect(made.length).toBe(usages.length);
      expect(total(made.map(({ costNanoUsd }) => costNanoUsd ?? 0))).toBe(
        total(usages.map(nanoUsd)),
      );
      for (const [field, name] of [
        ['inputTokens', 'input'],
        ['outputTokens', 'output'],
        ['cacheReadTokens', 'cacheRead'],
        ['cacheWriteTokens', 'cacheWrite'],
      ] as const) {
        expect(total(made.map((spend) => spend[field]))).toBe(
          total(usages.map((usage) => Number(usage[name]))),
        );
      }
    },
  );
});

describe('the recorded sessions together', () => {
  it('have no event twice', () => {
    const ids = sessionFiles.flatMap(drafts).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('let no word of the conversation out', () => {
    const events = JSON.stringify(
      sessionFiles.flatMap((file) => drafts(file).map(({ data }) => data)),
    );
    const words = sessionFiles
      .flatMap(({ values }) => values.flatMap(textsOf))
      .filter((text) => text.length >= 12);
    expect(words.length).toBeGreaterThan(150);
    expect(words.filter((text) => events.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
  });
});

/** All text written by a person, a model, a tool or a prompt. */
function textsOf(value: Record<string, unknown>): readonly string[] {
  const message = (value.message ?? {}) as Record<string, unknown>;
  const blocks = Array.isArray(message.content)
    ? (message.content as Record<string, unknown>[])
    : [];
  const held = [
    message.content,
    message.errorMessage,
    message.command,
    message.output,
    value.summary,
    value.task,
    value.name,
    value.title,
  ];
  const inBlocks = blocks.flatMap(({ text, thinking, arguments: args }) => [
    text,
    thinking,
    (args as { command?: unknown })?.command,
  ]);
  return [...held, ...inBlocks].filter((text) => typeof text === 'string');
}
