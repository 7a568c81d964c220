import type { LedgerEvent } from '@pi-ledger/contract';
import { minuteMs } from '@pi-ledger/core/time/units';
import { attribute, beginWork, chooseModel } from './begin.ts';
import { type DemoModel, demoModels } from './cast.ts';
import { leaveBranch, sampleContext } from './compaction.ts';
import { createQuota, type DemoQuota } from './quota.ts';
import type { Random } from './random.ts';
import { createRecorder } from './recorder.ts';
import { run } from './run.ts';
import type { Agent, DemoSessionPlan, DemoWork } from './work.ts';

export type { DemoSessionPlan } from './work.ts';

const mainAgent: Agent = { kind: 'main', name: null, parentSessionId: null };

/**
 * The events of one session, of its subagents and of a fork, if there is one: plausible work on one
 * thing, recorded from nobody.
 */
export function demoSession(
  plan: DemoSessionPlan,
  random: Random,
  quota: DemoQuota = createQuota(),
): LedgerEvent[] {
  const work = beginWork(plan, mainAgent, { random, quota });
  for (let prompt = 0; prompt < plan.prompts; prompt++) {
    if (prompt > 0) pause(work);
    run(work);
  }
  end(work);
  const events = collectEvents(work);
  const stand = random.chance(0.06) ? work.stands[2] : undefined;
  if (stand === undefined) return events;
  const forked = fork(work, stand);
  return [...events, ...collectEvents(forked)];
}

/** As they are recorded: a subagent tells what it spent before its parent's result repeats it. */
function collectEvents({ recorder, children }: DemoWork): LedgerEvent[] {
  return [...children, ...recorder.events].sort((one, other) =>
    one.time === other.time ? 0 : one.time < other.time ? -1 : 1,
  );
}

/** Between two prompts: caches run out, some users choose another model or go back in the tree. */
function pause(work: DemoWork): void {
  const { recorder, window, stands } = work;
  const { random } = recorder;
  const pauseMs = random.chance(0.04)
    ? random.between(20 * minuteMs, 100 * minuteMs)
    : random.between(20_000, 15 * minuteMs);
  recorder.nowMs += pauseMs;
  if (pauseMs > 5 * minuteMs && random.chance(0.5)) window.forgetCache();
  const earlier = stands.at(-2);
  if (earlier !== undefined && random.chance(0.02)) leaveBranch(work, earlier);
  if (random.chance(0.03)) switchModel(work);
}

/** To a model whose window holds what the session has. */
function switchModel(work: DemoWork): void {
  const { model, window, recorder } = work;
  const held = window.tokens();
  const others = demoModels.filter(({ windowTokens }) => windowTokens > held * 1.5);
  const [first = model, ...rest]: readonly DemoModel[] = others;
  work.model = recorder.random.pick([first, ...rest]);
  window.forgetCache();
  chooseModel(work);
  sampleContext(work);
}

/** The user goes back to an earlier prompt in a file of its own, which begins with copies. */
function fork(
  parent: DemoWork,
  { leaf, tokens, entries, answers }: DemoWork['stands'][number],
): DemoWork {
  const { plan, recorder, window } = parent;
  const { random } = recorder;
  const startMs = recorder.nowMs + random.between(minuteMs, 40 * minuteMs);
  const work: DemoWork = {
    ...parent,
    plan: { ...plan, startMs },
    agent: { ...mainAgent, parentSessionId: recorder.id },
    recorder: createRecorder(startMs, random),
    recent: [],
    stands: [],
    children: [],
  };
  attribute(work);
  const copied = { copySessionId: work.recorder.id, ownerAssumed: false };
  const counts = { entries, spendEntries: answers };
  work.recorder.entry('pi.session.copied.v1', { ...copied, ...counts }, recorder.id);
  work.recorder.leaf = leaf;
  window.moveTo(tokens);
  window.forgetCache();
  for (let prompt = random.between(1, 3); prompt > 0; prompt--) run(work);
  end(work);
  return work;
}

function end({ recorder, plan }: DemoWork): void {
  const durationMs = recorder.nowMs - plan.startMs;
  recorder.live('pi.session.ended.v1', { reason: 'quit', durationMs });
}
