/** One prompt of a made-up session, until the agent is idle again. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { answer, attempt, type DemoAnswered } from './answers.ts';
import { beginWork, observeHead } from './begin.ts';
import { compactWhenFull, sampleContext } from './compaction.ts';
import { reportSubagent, subagentNames, subagentTool } from './subagent.ts';
import { type Call, callTool, pickTool } from './tools.ts';
import { type DemoWork, hostOf } from './work.ts';

const turnsMax = { main: 14, subagent: 9 };
const asksSubagent = 0.008;

/** Returns its answers. */
export function run(work: DemoWork): readonly DemoAnswered[] {
  const { recorder, agent } = work;
  const startedMs = recorder.nowMs;
  submitPrompt(work);
  const [answers, calls]: [DemoAnswered[], Call[]] = [[], []];
  const turns = recorder.random.between(2, turnsMax[agent.kind]);
  let errors = 0;
  let outcome: Tried['outcome'] = 'answering';
  for (let turn = 0; turn < turns && outcome === 'answering'; turn++) {
    const tried = attemptsBefore(work, turn);
    errors += tried.attempts;
    outcome = tried.outcome;
    if (outcome !== 'answering') break;
    const { answered, call } = takeTurn(work, turn, turn === turns - 1);
    answers.push(answered);
    if (call !== null) calls.push(call);
  }
  recorder.live('pi.run.completed.v1', {
    promptEntryId: recorder.promptEntryId,
    turns: answers.length,
    attempts: 1 + errors,
    toolCalls: countCalls(calls),
    errors,
    filesModified: filesModifiedBy(calls),
    durationMs: recorder.nowMs - startedMs,
    outcome: outcome === 'answering' ? 'completed' : outcome,
  });
  const isCommitted = agent.kind === 'main' && calls.length > 0 && recorder.random.chance(0.35);
  if (isCommitted) observeHead(work, true);
  return answers;
}

function submitPrompt(work: DemoWork): void {
  const { recorder, window, agent, stands, recent } = work;
  stands.push({ leaf: recorder.leaf, tokens: window.tokens(), ...countRecorded(recorder.events) });
  const textChars = recorder.random.between(20, 1_800);
  recorder.promptEntryId = null;
  const placed = recorder.place({ textChars });
  const attribution = agent.kind === 'subagent' ? 'agent' : null;
  recorder.entry('pi.prompt.submitted.v1', { ...placed, attribution });
  recorder.promptEntryId = placed.entryId;
  window.add(textChars);
  recent.push({ entryId: placed.entryId, chars: textChars });
}

function countRecorded(events: readonly LedgerEvent[]) {
  const answers = events.filter(({ type }) => type === 'pi.turn.completed.v1').length;
  return { entries: events.filter(({ data }) => 'parentEntryId' in data).length, answers };
}

interface Turn {
  readonly answered: DemoAnswered;
  readonly call: Call | null;
}

function takeTurn(work: DemoWork, turn: number, isLast: boolean): Turn {
  const { random } = work.recorder;
  const isFirst = work.stands.length === 1 && turn === 0;
  const asks = !isLast && work.agent.kind === 'main' && random.chance(asksSubagent);
  const tool = isLast || asks ? null : pickTool(random);
  const answered = answer(work, turn, asks ? subagentTool(work) : (tool?.name ?? null));
  if (isFirst) sampleContext(work);
  const call = asks ? askSubagent(work) : tool === null ? null : callTool(work, tool);
  compactWhenFull(work);
  return { answered, call };
}

function askSubagent(parent: DemoWork): Call {
  const { recorder, plan, quota, children } = parent;
  const { random } = recorder;
  const asked = children.filter(({ type }) => type === 'pi.session.started.v1').length;
  const name = `${random.pick(subagentNames)}${asked + 1}`;
  const work = beginWork(
    { ...plan, startMs: recorder.nowMs, model: parent.model },
    { kind: 'subagent', name, parentSessionId: recorder.id },
    { random, quota },
  );
  const answers = run(work);
  const call = reportSubagent(parent, { name, work, answers });
  children.push(...work.recorder.events);
  return call;
}

function countCalls(calls: readonly Call[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { toolName } of calls) counts[toolName] = (counts[toolName] ?? 0) + 1;
  return counts;
}

const modifying: ReadonlySet<string> = new Set(['edit', 'write']);

function filesModifiedBy(calls: readonly Call[]): string[] {
  const modified = calls.filter(({ toolName }) => modifying.has(toolName));
  return [...new Set(modified.flatMap(({ paths }) => paths))];
}

// What goes wrong before an answer comes: the provider is overloaded, or the user stops it.

interface Tried {
  readonly attempts: number;
  readonly outcome: 'answering' | 'aborted' | 'failed';
}

const stormAttempts = 5;
const backoffMs = 2_000;

/** Mostly nothing; rarely a few attempts in a row, or so many that the host gives up. */
function attemptsBefore(work: DemoWork, turnIndex: number): Tried {
  const { random } = work.recorder;
  if (random.chance(0.002)) {
    attempt(work, turnIndex, 'aborted');
    return { attempts: 1, outcome: 'aborted' };
  }
  const isStorm = random.chance(0.0015);
  const attempts = isStorm ? stormAttempts : random.chance(0.01) ? random.between(1, 2) : 0;
  const givesUp = isStorm && random.chance(0.4);
  for (let index = 1; index <= attempts; index++) {
    attempt(work, turnIndex, 'error');
    if (index < attempts || !givesUp) waitAfter(work, index);
  }
  if (attempts > 0 && hostOf(work).isOmp) retriesEnded(work, attempts, !givesUp);
  return { attempts, outcome: givesUp ? 'failed' : 'answering' };
}

/** Twice as long each time; only omp tells. */
function waitAfter(work: DemoWork, attemptNumber: number): void {
  const { recorder } = work;
  const delayMs = backoffMs * 2 ** (attemptNumber - 1);
  if (hostOf(work).isOmp)
    recorder.live('pi.retry.scheduled.v1', {
      ...findPlace(work),
      attempt: attemptNumber,
      attemptsMax: stormAttempts,
      delayMs,
    });
  recorder.nowMs += delayMs;
}

function retriesEnded(work: DemoWork, attempts: number, succeeded: boolean): void {
  const durationMs = backoffMs * (2 ** attempts - 1);
  work.recorder.live('pi.retry.ended.v1', { ...findPlace(work), attempts, succeeded, durationMs });
}

function findPlace({ recorder: { leaf, promptEntryId }, model: { provider, model } }: DemoWork) {
  return { leafEntryId: leaf, promptEntryId, provider, model };
}
