/** What a parser says of private stretches, of whole lines, and of claims without room. */
import { expect, it } from 'vitest';
import { answer, toolResult } from '../../../extension/support/fake-session.ts';
import { file, header, prompt, read, turn } from '../support/read.ts';

const mark = (id: string, state: string) =>
  JSON.stringify({
    type: 'custom',
    id,
    parentId: 'a1',
    timestamp: '2026-11-20T09:00:03.000Z',
    customType: 'pi-ledger.recording',
    data: { state },
  });
const codes = (content: string | Buffer) =>
  read(content).issues.map(({ code, line }) => [line, code]);

it('what cannot be read of a private stretch is missed by nobody', () => {
  const paused = [header, prompt, turn, mark('m1', 'paused')];
  const unread = ['oops', '42', JSON.stringify({ type: 'custom', note: 'no id' })];
  expect(codes(file(...paused, ...unread))).toEqual([]);
  expect(codes(`${file(...paused)}{"half`)).toEqual([]);
  const noUtf8 = Buffer.from(file(...paused, turn));
  noUtf8[noUtf8.lastIndexOf('r1')] = 0xff;
  expect(codes(noUtf8)).toEqual([]);
  expect(codes(file(...paused, mark('m2', 'resumed'), ...unread))).toEqual([
    [6, 'not_json'],
    [7, 'not_an_entry'],
    [8, 'not_an_entry'],
  ]);
});

it('a whole line may hold any words', () => {
  const words = turn.replace('"content":[]', '"content":[{"type":"text","text":"null"}]');
  expect(words).not.toBe(turn);
  expect(read(file(header, prompt, words))).toMatchObject({ issues: [], turns: 1 });
});

it('claims for which a file has no room are named, one by one', () => {
  const messages = Array.from({ length: 50_001 }, (_, index) => ({
    role: 'assistant',
    timestamp: index,
    usage: { input: 1 },
  }));
  const claims = (id: string, first: number) =>
    JSON.stringify({
      id,
      parentId: 'a1',
      timestamp: '2026-11-20T09:00:03.000Z',
      ...toolResult('c', 'subagent', false, {
        results: [{ messages: messages.map((said) => ({ ...said, responseId: `${first}` })) }],
      }),
    });
  const { issues, turns } = read(
    file(
      header,
      JSON.stringify({ ...JSON.parse(turn), ...answer('r1') }),
      claims('t1', 1),
      claims('t2', 2),
    ),
    { lineBytesMax: 100_000_000 },
  );
  expect(turns).toBe(1);
  expect(issues.map(({ line }) => line)).toEqual([4, 4]);
});
