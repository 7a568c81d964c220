/** When a prompt waits for a person, and what becomes of it. */
import { describe, expect, it, vi } from 'vitest';
import { createBudgets } from '../../../../extension/command/budgets/budgets.ts';
import { askBeforePrompt, refusal } from '../../../../extension/command/budgets/gate.ts';
import { newSessionState } from '../../../../extension/live/session-state.ts';
import { attribution } from '../../support/ledger-machine.ts';
import { budget } from './given.ts';

const nowMs = Date.parse('2026-11-22T12:00:00.000Z');

interface World {
  readonly hostName?: 'pi' | 'omp';
  readonly mode?: 'tui' | 'print' | 'json' | 'rpc';
  readonly hasUI?: boolean;
  readonly text?: unknown;
  readonly source?: string;
  readonly select?: unknown;
  readonly isOver?: boolean;
  readonly isPaused?: boolean;
}

function setUp(world: World = {}) {
  const { hostName = 'pi', mode = 'tui', hasUI = true, isOver = true, isPaused = false } = world;
  const { text = 'fix it', source = 'interactive' } = world;
  const budgets = createBudgets(() => nowMs);
  if (isOver) budgets.note('s1', [budget({ name: 'shop\u001b[31m' })]);
  const session = newSessionState({
    id: 's1',
    header: null,
    file: null,
    agentName: null,
    parentage: { parent: null, parentSessionId: null, kind: 'none' },
    openedMonotonicMs: 0,
  });
  if (isPaused) session.privacy = 'paused';
  session.attribution = { ...attribution, mode };
  const asked: unknown[][] = [];
  const texts: string[] = [];
  const answer = world.select ?? (() => Promise.resolve('No'));
  const select = (...args: unknown[]) => {
    asked.push(args);
    return typeof answer === 'function' ? answer() : answer;
  };
  const ui = { select, setEditorText: (typed: string) => void texts.push(typed) };
  const ctx = { hasUI, ui: world.select === null ? {} : ui };
  const send = () => askBeforePrompt({ budgets, hostName }, session, { text, source }, ctx);
  return { asked, texts, send, budgets };
}

describe('a prompt while a hard budget is over', () => {
  it('is not sent after a no, and stands in its editor again', async () => {
    const long = 'fix it '.repeat(2_000);
    const { asked, texts, send, budgets } = setUp({ text: long });
    expect(await send()).toBe(refusal);
    expect(texts).toEqual([]);
    await expect.poll(() => texts).toEqual([long]);
    expect(asked).toEqual([
      [
        expect.stringMatching(
          /^Budget shop.* is over: \$52\.10 of \$50\.00 .*\.\nSend the prompt .*\?$/,
        ),
        ['No', 'Yes'],
        undefined,
      ],
    ]);
    expect(String(asked[0]?.[0])).not.toContain('\u001b');
    expect(budgets.inTheWay('s1')).toHaveLength(1);
  });

  it('is not sent where somebody leaves the dialog', async () => {
    expect(await setUp({ select: () => Promise.resolve(undefined) }).send()).toBe(refusal);
  });

  it('is sent after a yes, which is asked for once', async () => {
    const { asked, texts, send } = setUp({ select: () => Promise.resolve('Yes') });
    expect(await send()).toBeUndefined();
    expect(send()).toBeUndefined();
    expect([asked.length, texts]).toEqual([1, []]);
  });

  it("is answered in omp before omp's limit for a handler", async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const { asked, send } = setUp({ hostName: 'omp' });
    expect(await send()).toEqual({ action: 'handled', handled: true });
    expect(timeout).toHaveBeenCalledExactlyOnceWith(25_000);
    expect(asked[0]?.[2]).toEqual({ signal: timeout.mock.results[0]?.value });
    timeout.mockRestore();
  });

  it.each<[string, World]>([
    [
      'the dialog throws',
      {
        select: () => {
          throw new Error('gone');
        },
      },
    ],
    ['the dialog fails', { select: () => Promise.reject(new Error('gone')) }],
    ['the dialog says what nobody asked', { select: () => Promise.resolve('Maybe') }],
    ['there is no dialog', { select: null }],
  ])('is sent where %s', async (_what, world) => {
    const { send, texts } = setUp(world);
    expect(await send()).toBeUndefined();
    expect(texts).toEqual([]);
  });

  it.each<[string, World]>([
    ['in print mode', { mode: 'print' }],
    ['in json mode', { mode: 'json' }],
    ['in rpc mode, with dialogs', { mode: 'rpc' }],
    ['without an interface', { hasUI: false }],
    ['when a command is typed', { text: '/ledger' }],
    ['when another extension sends it', { source: 'extension' }],
    ['when the host does not say what it is', { text: 7 }],
    ['in a paused session', { isPaused: true }],
    ['when nothing is over', { isOver: false }],
  ])('is not asked about %s', (_what, world) => {
    const { asked, send } = setUp(world);
    expect(send()).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe('without a session', () => {
  it('nothing is asked', () => {
    const budgets = createBudgets(() => nowMs);
    expect(askBeforePrompt({ budgets, hostName: 'pi' }, undefined, {}, {})).toBeUndefined();
  });
});
