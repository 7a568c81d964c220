/** What `init` and `uninstall` are made of: tasks that are asked for, one after the other. */
import type { CollectorConfig } from '../../config/config.ts';
import type { Terminal } from '../command.ts';
import { whyOf } from '../explain.ts';
import { type Questions, StoppedError } from './questions.ts';
import type { InstallRecord } from './record.ts';

export interface Setup {
  readonly terminal: Terminal;
  readonly config: CollectorConfig;
  readonly questions: Questions;
  readonly record: InstallRecord;
  /** Somebody answers the questions. */
  readonly isAsking: boolean;
  /** Nothing is asked, done or written. */
  readonly isDryRun: boolean;
  /** One line about a topic: `pi`, `service`. */
  say(topic: string, text: string): void;
  /** Like `say`, of what went wrong. */
  warn(topic: string, text: string): void;
}

export interface Task {
  readonly topic: string;
  /** In the imperative, for a dry run: `stop and remove pi-ledger.service`. */
  readonly would: string;
  /** It is null when the task asks by itself, or needs no leave. */
  readonly question: string | null;
  /** What is said when it is refused. */
  readonly refused: string;
  /** Says what it did; false: it failed, and said why. */
  act(): Promise<boolean>;
}

/** Says what is there already, and returns what is to be done about the rest. */
export type SetupStep = (setup: Setup) => Promise<readonly Task[]>;

const topicChars = 9;

/** `service    pi-ledger runs` */
export function topicLine(topic: string, text: string): string {
  return `${topic.padEnd(topicChars)}  ${text}`;
}

/**
 * Takes the steps in order, each with the settings as they are then; one that fails does not keep
 * the next from being taken. True: nothing failed. Throws `StoppedError`.
 */
export async function takeSteps(steps: readonly SetupStep[], setUp: () => Setup): Promise<boolean> {
  let isGood = true;
  for (const step of steps) {
    const setup = setUp();
    const tasks = await attempted('', setup, () => step(setup));
    if (tasks === null) isGood = false;
    for (const task of tasks ?? [])
      isGood = ((await attempted(task.topic, setup, () => take(task, setup))) ?? false) && isGood;
  }
  return isGood;
}

async function attempted<Result>(
  topic: string,
  { warn }: Setup,
  attempt: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof StoppedError) throw error;
    warn(topic, whyOf(error));
    return null;
  }
}

async function take(task: Task, { say, questions, isDryRun }: Setup): Promise<boolean> {
  const { topic, would, question, refused, act } = task;
  if (isDryRun) say(topic, `would ${would}`);
  else if (question === null || (await questions.agree(topicLine(topic, question)))) return act();
  else say(topic, refused);
  return true;
}
