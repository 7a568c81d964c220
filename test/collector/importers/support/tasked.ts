/** An omp session, its subagent, and a fork of it. */
import { basename, join } from 'node:path';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  fork,
  newSession,
  toolCall,
  toolResult,
  usage,
  userSays,
} from '../../../extension/support/fake-session.ts';
import { at, type File, inFolder } from './ways.ts';

/**
 * omp: a session whose task result claims its subagent's spend, and a fork of it with a copy of the
 * subagent's file, made at the given clock time.
 */
export function tasked(forkMinute = 10) {
  const main = newSession('main', at(0));
  append(main, 'u1', at(1), userSays());
  append(main, 'm1', at(2), answer('m1', { content: [toolCall('t1', 'task')] }));
  const child = newSession('child', at(3));
  append(child, 'c1', at(4), answer('c1'));
  append(child, 'c2', at(5), answer('c2'));
  append(main, 'x1', at(6), taskResult('t1', 200));
  const forked = fork(main, 'fork', at(forkMinute));
  append(forked, 'f1', at(forkMinute + 1), answer('f1'));
  const beside = (session: FakeSession): File => ({
    name: join(basename(fileOf(session), '.jsonl'), 'SubA.jsonl'),
    session: child,
  });
  return {
    main: inFolder('', main),
    ofMain: beside(main),
    fork: inFolder('', forked),
    ofFork: beside(forked),
  };
}

/** What a task result of omp says about a subagent. */
export function taskResult(callId: string, input: number, id = 'SubA') {
  const { message, ...entry } = toolResult(callId, 'task');
  const answers = input / 100;
  const figures = { ...usage(input), output: 7 * answers, cacheRead: 3 * answers };
  const results = [{ index: 0, id, agent: 'task', usage: figures }];
  return { ...entry, message: { ...message, details: { results } } };
}
