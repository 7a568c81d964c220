import type { EventData, EventTypeName, LedgerEvent } from '@pi-ledger/contract';
import type { DemoModel, DemoProject, DemoUser } from './cast.ts';
import type { Random } from './random.ts';
import { spendOf } from './spend.ts';
import { demoUuid } from './uuid.ts';

export interface DemoSessionPlan {
  readonly startMs: number;
  readonly user: DemoUser;
  readonly project: DemoProject;
  readonly branch: string;
  readonly model: DemoModel;
  readonly prompts: number;
}

const reserveTokens = 16_384;
const noSizes = { textChars: 0, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 0 };
const tools = ['read', 'bash', 'edit', 'grep', 'write'] as const;

/** The events of one session, in order: plausible work on one thing, recorded from nobody. */
export function demoSession(plan: DemoSessionPlan, random: Random): LedgerEvent[] {
  const session = createSession(plan, random);
  session.begin();
  for (let prompt = 0; prompt < plan.prompts; prompt++) {
    session.run();
  }
  session.end();
  return session.events;
}

function createSession(plan: DemoSessionPlan, random: Random) {
  const events: LedgerEvent[] = [];
  const id = demoUuid(7, plan.startMs, random);
  const source = `/producers/${demoUuid(7, plan.startMs, random)}`;
  let clockMs = plan.startMs;
  let contextTokens = random.between(6_000, 14_000);
  let cachedTokens = 0;
  let leaf: string | null = null;
  let promptEntryId: string | null = null;

  const record = <Name extends EventTypeName>(
    type: Name,
    version: 7 | 8,
    data: EventData<Name>,
  ) => {
    const event = {
      specversion: '1.0' as const,
      id: demoUuid(version, clockMs, random),
      source,
      type,
      time: new Date(clockMs).toISOString(),
      subject: id,
      sequence: String(events.length + 1).padStart(10, '0'),
      data,
    };
    events.push(event as unknown as LedgerEvent);
  };
  const entry = () => {
    const fields = { entryId: random.hex(8), parentEntryId: leaf, promptEntryId, sizes: noSizes };
    leaf = fields.entryId;
    return fields;
  };

  const begin = () => {
    const cwd = `/home/${plan.user.name}/${plan.project.name}`;
    record('pi.session.started.v1', 8, { formatVersion: 3, cwd, parentSessionId: null });
    record('pi.session.attributed.v1', 7, attribution(plan, cwd));
    const { provider, model } = plan.model;
    record('pi.model.changed.v1', 8, {
      ...entry(),
      changed: 'model',
      provider,
      model,
      thinkingLevel: null,
      role: null,
    });
  };

  const answer = (turnIndex: number, toolCalls: Record<string, number>, isFailed: boolean) => {
    const freshTokens = random.between(80, 2_400);
    const outputTokens = isFailed ? 0 : random.between(60, 1_800);
    clockMs += random.between(2_000, 25_000);
    record('pi.turn.completed.v1', 8, {
      ...entry(),
      sizes: { ...noSizes, textChars: outputTokens * 3, toolCallChars: outputTokens },
      turnIndex,
      spend: isFailed
        ? spendOf(plan.model, [0, 0, 0, 0])
        : spendOf(plan.model, [
            freshTokens,
            outputTokens,
            cachedTokens,
            contextTokens - cachedTokens,
          ]),
      thinkingLevel: 'medium',
      stopReason: isFailed ? 'error' : Object.keys(toolCalls).length > 0 ? 'toolUse' : 'stop',
      rawStopReason: null,
      errorStatus: isFailed ? 529 : null,
      requestedAtMs: clockMs - 1_500,
      durationMs: random.between(900, 24_000),
      timeToFirstTokenMs: random.between(200, 2_500),
      toolCalls,
    });
    if (!isFailed) {
      cachedTokens = contextTokens;
      contextTokens += freshTokens + outputTokens;
    }
  };

  const callTool = (toolName: string) => {
    const textChars = random.between(40, 14_000);
    clockMs += random.between(20, 4_000);
    contextTokens += Math.round(textChars / 4);
    const turnEntryId = leaf;
    record('pi.tool.completed.v1', 8, {
      ...entry(),
      sizes: { ...noSizes, textChars },
      turnEntryId,
      toolCallId: `call_${random.hex(8)}`,
      toolName,
      isError: random.chance(0.06),
      durationMs: random.between(5, 4_000),
      paths: toolName === 'bash' ? [] : [`src/part-${random.between(1, 40)}.ts`],
      spend: null,
    });
  };

  const compactWhenFull = () => {
    if (contextTokens < plan.model.windowTokens - reserveTokens) {
      return;
    }
    const tokensBefore = contextTokens;
    clockMs += random.between(8_000, 40_000);
    const summaryTokens = random.between(900, 2_600);
    const firstKeptEntryId = leaf;
    record('pi.compaction.completed.v1', 8, {
      ...entry(),
      tokensBefore,
      tokensAfterEstimated: null,
      firstKeptEntryId,
      method: null,
      fromExtension: false,
      filesRead: ['src/part-1.ts'],
      filesModified: [],
      spend: plan.user.host.version.startsWith('0.87')
        ? spendOf(plan.model, [tokensBefore, summaryTokens, 0, 0])
        : null,
    });
    record('pi.compaction.timed.v1', 7, {
      entryId: leaf,
      trigger: 'threshold',
      willRetry: false,
      durationMs: 20_000,
    });
    contextTokens = random.between(14_000, 26_000);
    cachedTokens = 0;
  };

  const run = () => {
    const startedMs = clockMs;
    record('pi.prompt.submitted.v1', 8, {
      ...entry(),
      sizes: { ...noSizes, textChars: random.between(20, 900) },
      attribution: null,
    });
    promptEntryId = leaf;
    const turns = random.between(2, 14);
    const calls: Record<string, number> = {};
    for (let turn = 0; turn < turns; turn++) {
      if (random.chance(0.02)) {
        answer(turn, {}, true);
      }
      const toolName = turn === turns - 1 ? null : random.pick(tools);
      answer(turn, toolName === null ? {} : { [toolName]: 1 }, false);
      if (toolName !== null) {
        calls[toolName] = (calls[toolName] ?? 0) + 1;
        callTool(toolName);
      }
      compactWhenFull();
    }
    record('pi.run.completed.v1', 7, {
      promptEntryId,
      turns,
      attempts: 1,
      toolCalls: calls,
      errors: 0,
      filesModified: [],
      durationMs: clockMs - startedMs,
      outcome: 'completed',
    });
    clockMs += random.between(20_000, 900_000);
  };

  const end = () =>
    record('pi.session.ended.v1', 7, { reason: 'quit', durationMs: clockMs - plan.startMs });
  return { events, begin, run, end };
}

function attribution(plan: DemoSessionPlan, cwd: string): EventData<'pi.session.attributed.v1'> {
  const { user, project, model } = plan;
  return {
    basis: 'live',
    project: { name: project.name, remote: null, branch: plan.branch, worktree: null },
    cwd,
    user: user.name,
    machine: user.machine,
    utcOffsetMinutes: user.utcOffsetMinutes,
    billing: {
      [model.provider]: user.subscriptions.includes(model.provider) ? 'subscription' : 'metered',
    },
    host: user.host,
    mode: 'tui',
    agent: { kind: 'main', name: null },
    parentSessionId: null,
    previousSessionId: null,
    producerVersion: 'demo',
  };
}
