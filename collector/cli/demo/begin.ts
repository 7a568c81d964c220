/** How a made-up session begins: whose it is, with which model. */
import type { EventData } from '@pi-ledger/contract';
import { type DemoUser, demoModels } from './cast.ts';
import type { DemoQuota } from './quota.ts';
import type { Random } from './random.ts';
import { createRecorder } from './recorder.ts';
import { createWindow } from './window.ts';
import type { Agent, DemoSessionPlan, DemoWork } from './work.ts';

export function beginWork(
  plan: DemoSessionPlan,
  agent: Agent,
  { random, quota }: { readonly random: Random; readonly quota: DemoQuota },
): DemoWork {
  const work: DemoWork = {
    plan,
    agent,
    quota,
    recorder: createRecorder(plan.startMs, random),
    window: createWindow(random),
    thinkingLevel: random.pick(['medium', 'medium', 'high', 'low']),
    model: plan.model,
    recent: [],
    stands: [],
    children: [],
  };
  attribute(work);
  if (agent.kind === 'main') tellWork(work);
  chooseModel(work);
  return work;
}

export function attribute({ recorder, plan, agent }: DemoWork): void {
  const { parentSessionId } = agent;
  const cwd = `/home/${plan.user.name}/${plan.project.name}`;
  recorder.entry('pi.session.started.v1', { formatVersion: 3, cwd, parentSessionId });
  recorder.live('pi.session.attributed.v1', attribution(plan, agent, cwd));
}

/** What is checked out, and for some sessions the ticket that they are for. */
function tellWork(work: DemoWork): void {
  const { recorder, plan } = work;
  const { random } = recorder;
  observeHead(work, false);
  if (!random.chance(0.4)) return;
  const ticket = `DEMO-${random.between(1, 24)}`;
  const labels = { ticket, team: random.pick(['core', 'platform']) };
  recorder.live('pi.session.labelled.v1', { labels, whole: plan.prompts < 5 });
}

/** Each time another commit. */
export function observeHead({ recorder, plan }: DemoWork, afterTurn: boolean): void {
  recorder.live('pi.head.observed.v1', {
    project: { name: plan.project.name, remote: null, branch: plan.branch },
    cwd: `/home/${plan.user.name}/${plan.project.name}`,
    machine: plan.user.machine,
    commit: recorder.random.hex(40),
    afterTurn,
  });
}

export function chooseModel({ recorder, model: { provider, model } }: DemoWork): void {
  const changed = { changed: 'model', provider, model, thinkingLevel: null, role: null } as const;
  recorder.entry('pi.model.changed.v1', { ...recorder.place(), ...changed });
}

function attribution(
  { user, project, branch }: DemoSessionPlan,
  { kind, name, parentSessionId }: Agent,
  cwd: string,
): EventData<'pi.session.attributed.v1'> {
  return {
    basis: 'live',
    project: { name: project.name, remote: null, branch, worktree: null },
    cwd,
    user: user.name,
    machine: user.machine,
    utcOffsetMinutes: user.utcOffsetMinutes,
    billing: billingOf(user),
    host: user.host,
    mode: kind === 'main' ? 'tui' : 'json',
    agent: { kind, name },
    parentSessionId,
    previousSessionId: null,
    producerVersion: 'demo',
  };
}

function billingOf({ subscriptions }: DemoUser): Record<string, 'metered' | 'subscription'> {
  return Object.fromEntries(
    demoModels.map(({ provider }) => [
      provider,
      subscriptions.includes(provider) ? 'subscription' : 'metered',
    ]),
  );
}
