/**
 * A fork made while the clock was set back takes its copies for its own entries. A copied claim of
 * a subagent still counts once.
 */
import { describe, expect, it } from 'vitest';
import { omp } from '../../../collector/importers/omp/importer.ts';
import { answer, append, newSession, toolCall } from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { tasked, taskResult } from './support/tasked.ts';
import { at, reported, waysOf } from './support/ways.ts';

const root = temporaryDirectory();
const four = { '': '4 records, 440 tokens, 400000 nano-dollars' };

describe('a subagent’s subagent, where the file between is gone', () => {
  it('counts once beside what the session above repeats of it', async () => {
    const { main, ofMain } = tasked();
    const deep = newSession('deep', at(3.5));
    append(deep, 'd1', at(4), answer('d1'));
    const result = taskResult('t1', 200);
    const [first] = result.message.details.results;
    const inner = taskResult('t9', 100, 'SubA.Deep').message.details;
    const repeated = { ...first, extractedToolData: { task: [inner] } };
    Object.assign(main.session.entries.at(-1) ?? {}, {
      message: { ...result.message, details: { results: [repeated] } },
    });
    const ofDeep = {
      name: ofMain.name.replace(/\.jsonl$/, '/SubA.Deep.jsonl'),
      session: deep,
    };
    const files = [main, ofDeep];
    for (const steps of waysOf(files))
      expect(await reported(root, omp, steps)).toEqual({
        '': '3 records, 440 tokens, 400000 nano-dollars',
      });
  });
});

describe('a fork under a set-back clock, beside the subagents of its deleted original', () => {
  it.each([
    ['within the copied turn', 4],
    ['behind all that was copied', -60],
  ])('counts what they spent once: %s', async (_how, minute) => {
    const { main, ofMain, fork, ofFork } = tasked(minute);
    for (const files of [
      [ofMain, fork],
      [ofMain, fork, ofFork],
      [main, ofMain, fork],
    ])
      for (const steps of waysOf(files)) expect(await reported(root, omp, steps)).toEqual(four);
  });

  it('counts a claim of the fork’s own beside them, though it has the same name', async () => {
    const { ofMain, fork } = tasked();
    append(fork.session, 'f2', at(12), answer('f2', { content: [toolCall('t2', 'task')] }));
    append(fork.session, 'x2', at(13), taskResult('t2', 100));
    for (const steps of waysOf([ofMain, fork]))
      expect(await reported(root, omp, steps)).toEqual({
        '': '6 records, 660 tokens, 600000 nano-dollars',
      });
  });
});
