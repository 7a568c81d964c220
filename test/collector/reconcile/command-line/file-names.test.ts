/** What a file is called changes nothing: sync programs and file systems rename files. */
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { importingFiles, waysOf } from '../support/files-in.ts';
import { answer, at, header, sessionFileName, usage } from '../support/left-out.ts';

const directory = temporaryDirectory();
const told = importingFiles(directory, 'omp');
const stem = sessionFileName.replace('.jsonl', '');

const parent = (name: string) => [header(), answer('a1', 1), claim(name), answer('a2', 7)];
const child = [header({ id: 'kid', timestamp: at(2) }), answer('k1', 3), answer('k2', 4)];

/** omp's task result: what the two answers of this subagent cost. */
function claim(name: string): string {
  const sum = { ...usage(20), output: 2, cost: { total: 0.002 } };
  const details = { results: [{ id: name, index: 0, agent: 'task', usage: sum }] };
  const message = { role: 'toolResult', toolCallId: 'c', content: [], details };
  return JSON.stringify({ type: 'message', id: 'x', parentId: 'a1', timestamp: at(6), message });
}

const once = { codes: [0, 0], records: 4, faults: [] };

describe('a subagent of omp counts once', () => {
  it.each(['Kid copy', 'Kid (1)', 'Kid-LAPTOP7', 'Copy of Kid', 'A'])(
    'beside a copy of its file: %s',
    async (name) => {
      const copies = { [`${stem}/${name}.jsonl`]: child, [`${stem}/Kid.jsonl`]: child };
      for (const imports of waysOf({ [sessionFileName]: parent('Kid'), ...copies }))
        expect(await told(...imports)).toMatchObject(once);
    },
  );

  it.each([
    ['another Unicode form', 'K\u00e9', 'Ke\u0301'],
    ['another case', 'Kid', 'KID'],
  ])('whose file has its name in %s', async (_which, claimed, named) => {
    const files = { [sessionFileName]: parent(claimed), [`${stem}/${named}.jsonl`]: child };
    for (const imports of waysOf(files)) expect(await told(...imports)).toMatchObject(once);
  });

  it('beside a file that a user named', async () => {
    const named = [header({ id: 'kid', timestamp: at(2), parentSession: '/was/talk.jsonl' })];
    const files = { 'talk.jsonl': parent('Kid'), 'talk/Kid.jsonl': [...named, ...child.slice(1)] };
    for (const imports of waysOf(files)) expect(await told(...imports)).toMatchObject(once);
  });

  it('below another subagent', async () => {
    const boss = [header({ id: 'boss', timestamp: at(1) }), ...parent('Boss.Kid').slice(1)];
    const files = { [`${stem}/Boss.jsonl`]: boss, [`${stem}/Boss/Boss.Kid.jsonl`]: child };
    for (const imports of waysOf(files)) expect(await told(...imports)).toMatchObject(once);
  });

  it('but two that differ in case alone are two', async () => {
    const other = [header({ id: 'other', timestamp: at(2) }), answer('o1', 3), answer('o2', 4)];
    const [first, asked, result = '', last] = parent('Kid');
    const second = result.replace('"id":"x"', '"id":"y"').replace('"id":"Kid"', '"id":"KID"');
    const lines = [first, asked, result, second, last].map(String);
    const both = { [`${stem}/Kid.jsonl`]: child, [`${stem}/KID.jsonl`]: other };
    for (const imports of waysOf({ [sessionFileName]: lines, ...both }))
      expect(await told(...imports)).toMatchObject({ ...once, records: 6 });
    const alone = { [sessionFileName]: lines, [`${stem}/Kid.jsonl`]: child };
    for (const imports of waysOf(alone))
      expect(await told(...imports)).toMatchObject({ ...once, records: 5 });
  });
});

const toldOfPi = importingFiles(directory, 'pi');

/** What a package's tool result says of the same subagent. */
function claimOfFile(file: string, id = 'x', second = 6, input = 20): string {
  const sum = { ...usage(input), output: 2, cost: { total: 0.002 } };
  const details = { results: [{ agent: 'scout', sessionFile: `/elsewhere/${file}` }] };
  const message = { role: 'toolResult', toolCallId: id, content: [], usage: sum, details };
  const [parentId, timestamp] = ['a1', at(second)];
  return JSON.stringify({ type: 'message', id, parentId, timestamp, message });
}

const parentOf = (...claims: string[]) => [header(), answer('a1', 1), ...claims, answer('a2', 20)];

describe('a subagent of pi counts once', () => {
  it.each([
    ['another Unicode form', 'a/sub/k\u00e9.jsonl', 'a/sub/ke\u0301.jsonl'],
    ['another case', 'a/sub/Kid.jsonl', 'a/sub/KID.jsonl'],
    ['another case of its extension', 'a/sub/kid.jsonl', 'a/sub/kid.JSONL'],
    ['another case, below its parent', `${stem}/Run/r/s.jsonl`, `${stem}/run/r/s.jsonl`],
  ])('that a result names in %s', async (_which, claimed, named) => {
    // It works on after the result.
    const went = [...child, answer('k3', 30)];
    const files = { [sessionFileName]: parentOf(claimOfFile(claimed)), [named]: went };
    for (const imports of waysOf(files))
      expect(await toldOfPi(...imports)).toMatchObject({ ...once, records: 5 });
  });

  it('but two that results name in either case are two', async () => {
    const of15 = { usage: usage(15) };
    const other = [
      header({ id: 'other', timestamp: at(2) }),
      answer('o1', 3, of15),
      answer('o2', 4, of15),
    ];
    const claims = [claimOfFile('a/sub/Kid.jsonl'), claimOfFile('a/sub/KID.jsonl', 'y', 7, 30)];
    const files = { [sessionFileName]: parentOf(...claims), 'a/sub/Kid.jsonl': child };
    for (const imports of waysOf({ ...files, 'a/sub/KID.jsonl': other }))
      expect(await toldOfPi(...imports)).toMatchObject({ ...once, records: 6 });
    for (const imports of waysOf(files))
      expect(await toldOfPi(...imports)).toMatchObject({ records: 5 });
  });
});

it('reads session files whose extension is in capitals', async () => {
  const files = { [`${stem}.JSONL`]: parent('Kid'), [`${stem}/Kid.JSONL`]: child };
  for (const imports of waysOf(files)) expect(await told(...imports)).toMatchObject(once);
});
