/**
 * What identifies each event: an id built from anything else would count the same spend again in
 * existing ledgers.
 */
import { describe, expect, it } from 'vitest';
import { readHeader } from '../../../../core/record/entry.ts';
import type { RecordedSession } from '../../../../core/record/entry-draft.ts';
import { type PathState, rootState } from '../../../../core/record/path-state.ts';
import { recordSessionCopied, recordSessionStarted } from '../../../../core/record/session.ts';
import { plainEntryEventId } from '../support/plain-ids.ts';
import { recorded, session, timestamp } from '../support/recorded.ts';

type Body = Record<string, unknown>;
/** Type, response id, usage. */
type Known = readonly [type: string, responseId: string | null, usage: unknown];

const idOf = ([type, responseId, usage]: Known, id = 'e1') =>
  plainEntryEventId({ type, id, timestamp, timeMs: Date.parse(timestamp), responseId, usage });

function expectKnownBy(
  body: Body,
  known: readonly Known[],
  of: RecordedSession = session,
  above: PathState = rootState,
): void {
  const made = recorded(body, of, above).map(({ type, id }) => [type, id]);
  expect(made).toEqual(known.map((each) => [each[0], idOf(each)]));
}

const message = (role: string, more: Body = {}): Body => ({
  type: 'message',
  message: { role, content: 'x', ...more },
});
const usage = { input: 3, output: 4, cost: { total: 0.5 } };
const other = { input: 5, cost: 0.5 };
const nothing = { input: 0 };
/** Longer than an event stores. */
const responseId = `r${'x'.repeat(600)}`;

describe('an event of an entry is known by its type, the entry and', () => {
  it.each<[string, Body]>([
    ['pi.prompt.submitted', message('user', { responseId, usage })],
    ['pi.message.appended', message('system', { responseId })],
    ['pi.message.appended', { type: 'custom_message', content: 'x', usage }],
    ['pi.model.changed', { type: 'model_change', model: 'a/b', usage }],
    ['pi.model.changed', { type: 'thinking_level_change', thinkingLevel: 'high', usage }],
    ['pi.context.edited', { type: 'context_edit', targetId: 'e0', usage }],
    ['pi.context.edited', { type: 'reset_boundary', usage }],
  ])('nothing else: %s', (type, body) => {
    expectKnownBy(body, [[`${type}.v1`, null, null]]);
  });

  it.each<[string, Body]>([
    ['pi.tool.completed', message('toolResult', { responseId, usage })],
    ['pi.compaction.completed', { type: 'compaction', responseId, usage }],
    ['pi.branch.summarized', { type: 'branch_summary', responseId, usage }],
  ])('the usage alone: %s', (type, body) => {
    expectKnownBy(body, [[`${type}.v1`, null, usage]]);
  });

  it.each<[string, Body]>([
    ['pi.turn.completed', message('assistant', { responseId, usage })],
    ['pi.usage.recorded', { type: 'usage', responseId, usage }],
    ['pi.usage.recorded', { type: 'model_usage', responseId, usage }],
    ['pi.usage.recorded', { type: 'image_call', responseId, usage }],
  ])('the response id and the usage: %s', (type, body) => {
    expectKnownBy(body, [[`${type}.v1`, responseId, usage]]);
  });

  it('both, for spend that a message of an unknown role carries', () => {
    expectKnownBy(message('oracle', { responseId, usage }), [
      ['pi.message.appended.v1', null, null],
      ['pi.usage.recorded.v1', responseId, usage],
    ]);
  });

  it('both, for an attempt that is estimated', () => {
    const above = { ...rootState, answer: { provider: 'p', model: 'm', usage } };
    expectKnownBy(
      message('assistant', { responseId, usage: nothing }),
      [
        ['pi.turn.completed.v1', responseId, nothing],
        ['pi.attempt.estimated.v1', responseId, nothing],
      ],
      session,
      above,
    );
  });
});

describe('a claim is known by its key and figures', () => {
  const above = { ...rootState, turnEntryId: 't' };
  const result = (...results: object[]) =>
    message('toolResult', { toolCallId: 'c', details: { results } });
  const tool: Known = ['pi.tool.completed.v1', null, null];

  it('and a repeated sum by how often it came before', () => {
    const sums = result({ usage }, { usage: other }, { usage }, { usage });
    expectKnownBy(
      sums,
      [
        tool,
        ['pi.subagent.claimed.v1', null, { key: 'turn:t', usage }],
        ['pi.subagent.claimed.v1', null, { key: 'turn:t', usage: other }],
        ['pi.subagent.claimed.v1', null, { key: 'turn:t', usage, repeat: 1 }],
        ['pi.subagent.claimed.v1', null, { key: 'turn:t', usage, repeat: 2 }],
      ],
      session,
      above,
    );
  });

  it('and so is its account to a parent', () => {
    const said = { key: 'agent:A.B', usage };
    expectKnownBy(
      result({ index: 0, id: 'A.B', usage }),
      [
        tool,
        ['pi.subagent.claimed.v1', null, said],
        ['pi.subagent.accounted.v1', null, { parent: 'parent', usage: said }],
      ],
      { ...session, parent: { sessionId: 'parent', key: 'agent:A' } },
      above,
    );
  });
});

describe('an account is known by the parent and the figures', () => {
  const child: RecordedSession = { ...session, parent: { sessionId: 'parent', key: 'turn:t' } };

  it('and the response id, of an answer', () => {
    expectKnownBy(
      message('assistant', { responseId, usage }),
      [
        ['pi.turn.completed.v1', responseId, usage],
        ['pi.subagent.accounted.v1', responseId, { parent: 'parent', usage }],
      ],
      child,
    );
  });

  it('alone, of a tool', () => {
    expectKnownBy(
      message('toolResult', { responseId, usage }),
      [
        ['pi.tool.completed.v1', null, usage],
        ['pi.subagent.accounted.v1', null, { parent: 'parent', usage }],
      ],
      child,
    );
  });
});

describe('an event of a header is known by the session', () => {
  const header = readHeader({
    type: 'session',
    id: 'h',
    timestamp,
    cwd: '/srv/shop',
    parentSession: 'p',
  });
  if (header === null) throw new Error('not a header');

  it('that it starts', () => {
    expect(recordSessionStarted(header).id).toBe(idOf(['pi.session.started.v1', null, null], 'h'));
  });

  it.each([true, false])(
    'that was copied, and whether its owner is assumed: %s',
    (ownerAssumed) => {
      const { id } = recordSessionCopied(
        header,
        { sessionId: 'owner', assumed: ownerAssumed },
        { entries: 1, spendEntries: 1 },
      );
      expect(id).toBe(idOf(['pi.session.copied.v1', null, { owner: 'owner', ownerAssumed }], 'h'));
    },
  );
});
