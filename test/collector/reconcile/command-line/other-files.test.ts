/** Files among the sessions that are none: passed over, and what they prove is named. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { importingFiles } from '../support/files-in.ts';
import { answer, header, sessionFileName } from '../support/left-out.ts';

const told = importingFiles(temporaryDirectory(), 'pi');
const session = { [sessionFileName]: [header(), answer('a1', 1)] };
const recorded = (name: string) =>
  readFileSync(new URL(`../../importers/data/packages/${name}.jsonl`, import.meta.url), 'utf8');
const nothingWrong = { codes: [0, 0], complained: '', records: 1, leftOut: 0, faults: [] };

describe('a file that is no session', () => {
  it.each(['pi-subagents-transcript', 'pi-subagents-events'])(
    'is passed over without a word: %s',
    async (name) => {
      const files = { ...session, [`subagent-artifacts/${name}.jsonl`]: recorded(name) };
      // Unchanged files are not read again, and what was found in them is said again.
      expect(await told(files, files)).toMatchObject({
        ...nothingWrong,
        explanations: [],
        differences: [],
        problems: [],
      });
    },
  );

  it('is passed over when it is blank', async () => {
    expect(await told({ ...session, 'blank.jsonl': '\n \n' })).toMatchObject({
      ...nothingWrong,
      problems: [],
    });
  });

  it('is named, and no error to an import or a comparison, when nobody knows it', async () => {
    for (const files of [session, {}])
      expect(await told({ ...files, 'x.jsonl': ['{"hello":1}'] })).toMatchObject({
        codes: [0, 0],
        complained: expect.stringContaining('x.jsonl: the first lines hold no session header'),
        faults: [],
        problems: [expect.stringContaining('expected a session header')],
      });
  });
});

describe('a compressed session file', () => {
  const packed = { [`${sessionFileName}.gz`]: 'packed' };

  it('is named as not read, and may hold spend', async () => {
    expect(await told(packed)).toMatchObject({
      codes: [1, 1],
      complained: expect.stringContaining(`${sessionFileName}.gz: compressed files are not read`),
      faults: ['file_left_out'],
    });
  });

  it('alarms nobody if it was imported before it was compressed', async () => {
    expect(await told(session, packed)).toMatchObject({ codes: [0, 0], records: 1, faults: [] });
  });
});
