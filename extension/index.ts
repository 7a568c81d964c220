/**
 * The extension as pi and omp load it: wiring only. Hooks go to the recorder, recorded events to
 * the spool, spooled events to the collector.
 *
 * Handlers are synchronous, return nothing and cannot throw, with three exceptions. The end of a
 * process may wait, for a bounded time, until the last events are sent, unless a collector reads
 * this machine's spool anyway. While a hard budget is over, a prompt waits for a person's answer.
 * And while a budget is over that ends headless runs, or once a run has spent its own, a prompt is
 * refused there.
 */
import { fileURLToPath } from 'node:url';
import { completeWith, respondWith } from './command/answer.ts';
import { askBeforePrompt } from './command/budgets/gate.ts';
import { refuseRuns } from './command/budgets/headless.ts';
import { watchRuns } from './command/budgets/runs.ts';
import { registerLedgerCommand } from './command/command.ts';
import { createLazyFooter } from './command/footer/lazy-footer.ts';
import { knownBudgets, sharedHeadlessRuns } from './command/shared-budgets.ts';
import { readShutdownReason } from './host/events.ts';
import { asHostApi, type HostApi } from './host/host.ts';
import { modeOfProcess } from './host/identity.ts';
import { createMarkWriter } from './host/own-entry.ts';
import { readTools } from './host/prompt.ts';
import { readsAhead } from './host/speculation.ts';
import type { SessionState } from './live/session-state.ts';
import { listTriggers, type Trigger } from './live/triggers.ts';
import { createProducer, type Idle, type Recording } from './producer.ts';
import type { Attachment } from './recorder.ts';
import { setExitCode, writeToTerminal } from './terminal.ts';

export default function piLedger(pi: unknown): void {
  const api = asHostApi(pi);
  if (api === null) return;
  const producer = createProducer(pi);
  switch (producer.state) {
    case 'recording':
      attach(api, producer);
      return;
    case 'broken':
    case 'disabled':
      explain(api, producer);
      return;
  }
}

function attach(api: HostApi, producer: Recording): void {
  const attachment: Attachment = {
    sessionId: null,
    tools: readTools(api),
    writeMark: createMarkWriter(api),
  };
  const status = (ctx: unknown, isFresh: boolean) => {
    const isPaused = sessionIn(producer, attachment)?.privacy === 'paused';
    producer.pauseStatus.show(ctx, isPaused, isFresh);
  };
  const footer = createLazyFooter(producer);
  const makeHeadless = () => watchRuns(producer);
  const copy = producer.copies.join(ownFile, {
    onLead: () =>
      registerLedgerCommand(
        api,
        (args, ctx, onDraft) => {
          const answer = respondWith(producer, attachment)(args, ctx, onDraft);
          status(ctx, false);
          return answer;
        },
        (typed) => completeWith(producer)(typed),
      ),
    onFollow: (leader) =>
      producer.notices.add(
        `pi-ledger is loaded twice: ${leader} records, ${ownFile} does nothing. ` +
          'Remove one of them.',
      ),
  });
  for (const trigger of listTriggers(producer.hostName, readsAhead(api))) {
    api.on(trigger, (event, ctx) => {
      if (!copy.takes(event, ctx)) return producer.notices.deliver(ctx);
      producer.recorder.handle(trigger, event, ctx, attachment);
      status(ctx, trigger === 'session_start' || trigger === 'session_switch');
      producer.notices.deliver(ctx);
      const session = sessionIn(producer, attachment);
      if (footerTriggers.has(trigger)) footer.touch(ctx, session);
      const headless = sharedHeadlessRuns(session, makeHeadless);
      const refused = headless?.after(trigger, event, ctx, session);
      if (trigger === 'input') return refused ?? askIfOver(producer, session, event, ctx);
      return trigger === 'session_shutdown' && endsProcess(event, producer, attachment)
        ? flush(producer)
        : undefined;
    });
  }
}

/** After these, the footer may have something new to say. */
const footerTriggers: ReadonlySet<Trigger> = new Set([
  'session_start',
  'session_switch',
  'session_branch',
  'session_tree',
  'turn_end',
  'agent_end',
  'agent_settled',
  'session_compact',
  'model_select',
]);

function sessionIn({ recorder }: Recording, { sessionId }: Attachment): SessionState | undefined {
  return recorder.sessions().findLast(({ id }) => id === sessionId);
}

/** Loads what asks only where a budget is known. */
function askIfOver(
  { hostName }: Recording,
  ...[session, event, ctx]: [SessionState | undefined, unknown, unknown]
): ReturnType<typeof askBeforePrompt> {
  const budgets = knownBudgets();
  return budgets === null ? undefined : askBeforePrompt({ budgets, hostName }, session, event, ctx);
}

/** Nothing is recorded; `/ledger` says why. */
function explain(api: HostApi, { state, stopsRuns, copies, reason, notices }: Idle): void {
  copies.join(ownFile, {
    onLead: () => registerLedgerCommand(api, () => reason),
    onFollow: () => undefined,
  });
  if (state === 'broken') api.on('session_start', (_event, ctx) => notices.deliver(ctx));
  if (!stopsRuns) return;
  const refuse = refuseRuns(reason, modeOfProcess(), { writeLine: writeToTerminal, setExitCode });
  for (const trigger of ['input', 'agent_start'] as const)
    api.on(trigger, (_event, ctx) => refuse(trigger, ctx));
}

const ownFile = fileURLToPath(import.meta.url);

/**
 * pi also shuts down a session to open another one, and omp when a subagent is done; the process
 * continues in both cases.
 */
function endsProcess(event: unknown, producer: Recording, attachment: Attachment): boolean {
  const reason = readShutdownReason(event);
  const session = sessionIn(producer, attachment);
  const isGuest =
    session?.attribution?.agent.kind === 'subagent' && session.parentage.kind !== 'child-process';
  return (reason === null || reason === 'quit') && !isGuest;
}

/** Problems that appear here are reported here: a short run has no later handler. */
function flush({ isReaderFresh, shipper, config, notices }: Recording): Promise<void> | undefined {
  return isReaderFresh() ? undefined : shipper.flush(config.flushOnExitMs).then(notices.end);
}
