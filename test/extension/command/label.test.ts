import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../core/record/draft.ts';
import type { LedgerView } from '../../../extension/command/ledger-view.ts';
import { answer as answerOf } from '../../../extension/command/subcommands.ts';
import { drive } from '../support/driven-session.ts';

/** `/ledger` in a session; the events that it appended. */
function command(isFull = false) {
  const session = drive().process.recorder.sessions()[0] ?? null;
  const events: EventDraft[] = [];
  let wakes = 0;
  const producer = {
    spool: {
      append(drafts: readonly EventDraft[]) {
        if (!isFull) events.push(...drafts);
        return !isFull;
      },
    },
    shipper: {
      wake() {
        wakes += 1;
      },
    },
  } as unknown as LedgerView['producer'];
  const ledger = (args: string, view: Partial<LedgerView> = {}) =>
    answerOf(args, {
      producer,
      session,
      ctx: null,
      nowMs: Date.UTC(2026, 0, 2),
      asked: { is: 'asking' },
      opened: null,
      ...view,
    });
  return { events, ledger, wakes: () => wakes };
}

const prefix = 'Labels of this session, set in this process: ';

describe('/ledger label', () => {
  it('labels the session from now on, or all of it', () => {
    const { events, ledger, wakes } = command();
    expect(ledger('label')).toContain(`${prefix}none`);
    expect(ledger('label ticket=ABC-12')).toBe(`${prefix}ticket=ABC-12\nThey hold from now on`);
    expect(ledger('label --session team="pay and ship"  cost-centre=k.1')).toBe(
      [
        `${prefix}ticket=ABC-12, team=pay and ship, cost-centre=k.1`,
        'They hold for all of the session',
      ].join('\n'),
    );
    expect(ledger('label ticket=').split('\n')[0]).toBe(
      `${prefix}team=pay and ship, cost-centre=k.1`,
    );
    expect(ledger('label')).toBe(`${prefix}team=pay and ship, cost-centre=k.1`);
    expect(events).toMatchObject([
      {
        type: 'pi.session.labelled.v1',
        subject: 's1',
        time: '2026-01-02T00:00:00.000Z',
        data: { labels: { ticket: 'ABC-12' }, whole: false },
      },
      { data: { labels: { team: 'pay and ship', 'cost-centre': 'k.1' }, whole: true } },
      { data: { labels: { ticket: null }, whole: false } },
    ]);
    expect(wakes()).toBe(3);
  });

  it.each([
    ['ticket', '`ticket`: write KEY=VALUE'],
    ['Ticket=1', '`Ticket`: expected a label of up to 50 of a-z'],
    ['=1', '``: expected a label'],
    ['__proto__=1', '`__proto__`: expected a label'],
    [`ticket=${'x'.repeat(201)}`, '`ticket`: expected a label’s value of 1 to 200 characters'],
    ['ticket="a\u0007b"', '`ticket`: expected a label’s value'],
    ['ticket=1 bad', '`bad`: write KEY=VALUE'],
    [Array.from({ length: 21 }, (_, key) => `k${key}=1`).join(' '), '21 labels: at most 20'],
    ['--session', 'Write /ledger label ticket=ABC-12 [--session]'],
  ])('of `%s` says what is wrong, and records nothing', (args, words) => {
    const { events, ledger } = command();
    expect(ledger(`label ${args}`)).toContain(words.replace('’', "'"));
    expect(events).toEqual([]);
  });

  it('says so when nothing can be recorded', () => {
    expect(command(true).ledger('label ticket=1')).toContain('Not labelled: the spool');
    expect(command().ledger('label ticket=1', { session: null })).toContain('nothing to label');
  });

  it('is the only one that takes words', () => {
    expect(command().ledger('session ticket=1')).toContain('Unknown subcommand "session ticket=1"');
  });
});
