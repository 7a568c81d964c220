import { eventTypes } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import {
  attest,
  refuseClaim,
  refusedFields,
  type Sender,
  someProducer,
} from '../../../collector/ingest/sender.ts';
import { isOfLedger } from '../../../collector/log/withdrawals.ts';
import { exampleEvent } from '../support/events.ts';

const ada: Sender = { is: 'producer', user: 'ada', token: null };
const attribution = { type: 'pi.session.attributed.v1', data: {} };
const written = (value: unknown) => ({ value, text: JSON.stringify(value) });

describe('what only the collector may say', () => {
  it.each<[what: string, value: object, field: string, words: string]>([
    [
      'the authenticated user',
      { ...attribution, authenticateduser: 'boss' },
      '/authenticateduser',
      'the authenticated user',
    ],
    ['its token', { type: 'x', authenticatedtoken: '5f' }, '/authenticatedtoken', 'the token'],
    ['what is withdrawn', { type: 'pi.records.withdrawn.v1' }, '/data/records', 'withdraws'],
    [
      '... even that it is nobody',
      { type: 'x', authenticateduser: undefined },
      '/authenticateduser',
      'the authenticated user',
    ],
    ['that history is sealed', { type: 'pi.history.sealed.v1' }, '/data/sealId', 'seals history'],
    [
      'that an entry is another session’s',
      { type: 'pi.entry.moved.v1' },
      '/data/role',
      'to another session',
    ],
    [
      'what was labelled after the fact',
      { type: 'pi.records.labelled.v1' },
      '/data/records',
      'labels records',
    ],
    ['what a budget is', { type: 'pi.budget.defined.v1' }, '/data/budget', 'what a budget is'],
    ['how it stands', { type: 'pi.budget.crossed.v1' }, '/data/budget', 'how a budget stands'],
  ])('no producer says: %s', (_what, value, field, words) => {
    for (const sender of [ada, someProducer]) {
      expect(refuseClaim(value, sender)).toEqual({
        kind: 'rejected',
        code: 'schema',
        field,
        message: expect.stringContaining(words),
      });
    }
    expect(refusedFields.has(field)).toBe(true);
  });

  it('none of it can be withdrawn, but what it says of sessions', () => {
    const refused = eventTypes
      .map(({ type }) => type)
      .filter((type) => refuseClaim({ type }, someProducer) !== null);
    const kept = refused.filter((type) => isOfLedger(exampleEvent({ number: 1, type })));
    const ofSessions = ['pi.entry.moved.v1', 'pi.records.labelled.v1'];
    expect(kept).toEqual(refused.filter((type) => !ofSessions.includes(type)));
    expect(kept.length).toBe(refused.length - ofSessions.length);
  });

  it('its own records and importers may', () => {
    for (const sender of [{ is: 'record' }, { is: 'importer' }] as const) {
      expect(refuseClaim({ ...attribution, authenticateduser: 'ada' }, sender)).toBeNull();
      expect(refuseClaim({ type: 'pi.history.sealed.v1' }, sender)).toBeNull();
    }
  });

  it('who copies a ledger without a token says the rest, but not with which token it came', () => {
    const copy: Sender = { is: 'copy' };
    const { authenticatedtoken, ...told } = { ...attribution, authenticatedtoken: '5f' };
    expect(refuseClaim({ ...told, authenticateduser: 'ada' }, copy)).toBeNull();
    expect(refuseClaim({ type: 'pi.entry.moved.v1' }, copy)).toBeNull();
    expect(refuseClaim({ ...told, authenticatedtoken }, copy)).toMatchObject({
      field: '/authenticatedtoken',
      message: expect.stringContaining('with a token of the scope admin'),
    });
    expect(attest(written(told), copy)).toEqual(written(told));
  });

  it('who copies a ledger without a token says nothing that a ledger says of itself', () => {
    const own = eventTypes.filter((each) => isOfLedger({ type: each.type }));
    expect(own).toHaveLength(4);
    for (const { type } of own)
      expect(refuseClaim({ type }, { is: 'copy' })).toEqual(refuseClaim({ type }, someProducer));
  });

  it.each([[attribution], [{}], [null], ['text'], [5], [undefined]])('is not in %j', (value) =>
    expect(refuseClaim(value, ada)).toBeNull(),
  );
});

describe('an attribution of a token’s user', () => {
  it('says so, in front, in what is kept as in what is stored', () => {
    const { value, text } = attest(written(attribution), ada);
    expect(value).toEqual({ authenticateduser: 'ada', ...attribution });
    expect(text).toBe(`{"authenticateduser":"ada",${JSON.stringify(attribution).slice(1)}`);
  });

  it('of any version says so, whatever the user is called', () => {
    const later = { type: 'pi.session.attributed.v9' };
    for (const user of ['', '"', '$&', "$'", '\\']) {
      const { value, text } = attest(written(later), { is: 'producer', user, token: null });
      expect(value).toEqual({ authenticateduser: user, ...later });
      expect(JSON.parse(text)).toEqual(value);
    }
  });

  it.each<[what: string, value: unknown, sender: Sender]>([
    ['of nobody', attribution, someProducer],
    ['of the ledger’s own', attribution, { is: 'record' }],
    ['of an importer', attribution, { is: 'importer' }],
    ['that is another event', { type: 'pi.turn.completed.v1' }, ada],
    ['that is called alike', { type: 'x.pi.session.attributed.v1' }, ada],
    ['of a type that is none', { type: 5 }, ada],
    ['that says so already', { ...attribution, authenticateduser: 'bob' }, ada],
    ['that is none', null, ada],
    ['that is a text', 'pi.session.attributed.', ada],
  ])('%s stays as it came', (_what, value, sender) => {
    const given = written(value);
    expect(attest(given, sender)).toEqual(given);
  });
});
