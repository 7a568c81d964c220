/** Runs `init` or `uninstall`: with questions, without, or as a list of what would be done. */
import { loadCollectorConfig } from '../../config/config.ts';
import type { ExitCode, Terminal } from '../command.ts';
import { asCalled, ownLine } from '../own-line.ts';
import { askOn, defaultAnswers, type Questions, StoppedError } from './questions.ts';
import { openRecord } from './record.ts';
import { type Setup, type SetupStep, takeSteps, topicLine } from './task.ts';

export interface SetupOptions {
  readonly yes?: true;
  readonly dryRun?: true;
}

export interface Plan {
  readonly command: 'init' | 'uninstall';
  readonly begins: string;
  readonly steps: readonly SetupStep[];
  /** Printed when nothing failed. */
  readonly ends: string;
}

/** Without a terminal and `--yes` it lists the steps, and does nothing: exit code 2. */
export async function setUp(
  plan: Plan,
  { yes, dryRun }: SetupOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const questions = chooseQuestions(yes === true, terminal);
  const isDryRun = dryRun === true || questions === null;
  const record = openRecord(loadCollectorConfig(terminal.env).home);
  const setup = (): Setup => ({
    terminal,
    config: loadCollectorConfig(terminal.env),
    questions: questions ?? defaultAnswers,
    record,
    isAsking: !isDryRun && yes !== true,
    isDryRun,
    say: (topic, text) => terminal.print(asCalled(terminal, topicLine(topic, text))),
    warn: (topic, text) =>
      terminal.complain({
        text: asCalled(terminal, topicLine(topic, `warning: ${text}`)),
        style: 'warning',
      }),
  });
  if (!isDryRun && yes !== true) terminal.print(plan.begins);
  try {
    const isGood = await takeSteps(plan.steps, setup);
    if (dryRun !== true && questions === null) return refuse(plan, terminal);
    if (isGood && !isDryRun) terminal.print(asCalled(terminal, plan.ends));
    return isGood ? 0 : 1;
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    terminal.print('');
    terminal.print(`Stopped. To go on: ${ownLine(terminal, plan.command)}`);
    return 1;
  }
}

function chooseQuestions(isYes: boolean, { ask }: Terminal): Questions | null {
  if (isYes) return defaultAnswers;
  return ask === null ? null : askOn(ask);
}

function refuse({ command }: Plan, terminal: Terminal): ExitCode {
  terminal.complain(
    `Nothing was done: nobody is here to answer. ${ownLine(terminal, command)} --yes does it.`,
  );
  return 2;
}
