/** Answers `/ledger`, and completes it. */
import { readSession } from '../host/session.ts';
import { hiddenEntries } from '../live/pausing.ts';
import type { Recording } from '../producer.ts';
import type { Attachment, Recorder } from '../recorder.ts';
import type { CollectorConnection } from '../shipping/connection.ts';
import { entriesText } from './amounts.ts';
import type { Complete, Completion, Name, Respond } from './command.ts';
import { isName, names } from './names.ts';
import type { AskState } from './overview.ts';

/** The hosts do not say in which session it is typed: the last one that did something. */
export function completeWith({ recorder }: Pick<Recording, 'recorder'>): Complete {
  return (typed) => complete(typed, [...(recorder.sessions().at(-1)?.labels.keys() ?? [])]);
}

/**
 * Shows at once what is known here, then all of it with what the collector answers. First retries
 * events that wait for their next attempt: the user may just have started the collector.
 */
export function respondWith(producer: Recording, attachment: Attachment): Respond {
  return (args, ctx, onDraft) =>
    whileAwake(respond(producer, attachment, args, ctx, onDraft)).catch(
      (error: unknown) => `/ledger cannot answer: ${String(error)}`,
    );
}

/** Longer than retry and question together. */
const awakeMsMax = 5_000;

/** Nothing else keeps a process in print mode alive: its sockets and timers are unref'd. */
function whileAwake<Value>(answer: Promise<Value>): Promise<Value> {
  const awake = setTimeout(() => undefined, awakeMsMax);
  return answer.finally(() => clearTimeout(awake));
}

async function respond(
  producer: Recording,
  attachment: Attachment,
  ...[args, ctx, onDraft]: Parameters<Respond>
): Promise<string> {
  // At once: what the host does meanwhile is private already.
  const switched = switchRecording(args.trim(), producer, ctx, attachment);
  if (switched !== null) return switched;
  const { answer, needsCollector } = await import('./subcommands.ts');
  const sessionId = readSession(ctx)?.id ?? null;
  const answerWith = (known: { readonly asked?: AskState; readonly opened?: string }) => {
    const session = producer.recorder.sessions().find(({ id }) => id === sessionId) ?? null;
    const { asked = { is: 'asking' }, opened = null } = known;
    return answer(args, { producer, session, ctx, nowMs: Date.now(), asked, opened });
  };
  const isPrivate = () => isPaused(producer.recorder, sessionId);
  if (args.trim() === 'open')
    return answerWith({ opened: await open(producer, isPrivate() ? null : sessionId) });
  if (!needsCollector(args)) {
    await producer.shipper.retry(retryMsMax);
    return answerWith({});
  }
  if (!isPrivate()) onDraft(answerWith({}));
  await producer.shipper.retry(retryMsMax);
  return answerWith({
    asked: isPrivate() ? unasked : await askFor(producer.collector, sessionId),
  });
}

/** The collector may not have heard of the session. */
const unasked: AskState = { is: 'none', why: 'paused: the collector is not asked' };

/** How long the answer may wait for the retry. */
const retryMsMax = 1_000;

async function askFor(collector: CollectorConnection, sessionId: string | null): Promise<AskState> {
  if (sessionId === null) return { is: 'none', why: 'the host names no session' };
  const { askOverview } = await import('./asking/overview.ts');
  return askOverview(collector, sessionId, Date.now());
}

async function open({ collector }: Recording, sessionId: string | null): Promise<string> {
  const { openPage, systemBrowser } = await import('./open.ts');
  return openPage(collector, sessionId, systemBrowser);
}

// What may follow `/ledger `, as the hosts' editors ask for it. Pure.

/** Returns null if nothing fits. `labelKeys` are those of the session in which it is typed. */
export function complete(
  typed: string,
  labelKeys: readonly string[],
): readonly Completion[] | null {
  const text = typed.trimStart();
  const found = [...subcommands(), ...labels(labelKeys)].filter(
    ({ value }) => value.startsWith(text) && value !== text && isNext(value, text),
  );
  return found.length === 0 ? null : found;
}

function subcommands(): readonly Completion[] {
  return Object.entries(names).map(([name, { description, takesWords }]) => ({
    value: takesWords === true ? `${name} ` : name,
    label: name,
    description,
  }));
}

/** The key again, for another value; without a value it is taken away. */
function labels(keys: readonly string[]): readonly Completion[] {
  return keys.map((key) => ({ value: `${label} ${key}=`, label: `${key}=` }));
}

const label: Name = 'label';

/** Words after a subcommand are shown once the subcommand is there. */
function isNext(value: string, text: string): boolean {
  return isName(value.trim()) || text.startsWith(`${label} `);
}

// `/ledger pause` and `/ledger resume`: what is private is not recorded, by anybody.

/** Returns null for another subcommand. Contract: done when it returns, never throws. */
export function switchRecording(
  name: string,
  { recorder, hostName }: Pick<Recording, 'recorder' | 'hostName'>,
  ctx: unknown,
  attachment: Attachment,
): string | null {
  if (name !== 'pause' && name !== 'resume') return null;
  const to = name === 'pause' ? 'paused' : 'resumed';
  const state = isPaused(recorder, readSession(ctx)?.id ?? null) ? 'paused' : 'resumed';
  if (state === to) return said[to].already;
  return recorder.switchTo(to, ctx, attachment)
    ? said[to].done(hiddenText(recorder, ctx), hostName)
    : said[to].failed;
}

export function isPaused(recorder: Pick<Recorder, 'sessions'>, sessionId: string | null): boolean {
  return recorder.sessions().some(({ id, privacy }) => id === sessionId && privacy === 'paused');
}

const untilResume = 'nothing of this session is recorded until /ledger resume';
/** omp's tools do not inherit what this process says in its environment. */
const limits = {
  pi: '',
  omp: '; agents that a tool starts as processes of their own are recorded',
};
const said = {
  paused: {
    done: (_hidden: string, hostName: Recording['hostName']) =>
      `Paused: ${untilResume}${limits[hostName]}`,
    already: `Already paused: ${untilResume}`,
    failed:
      'Not paused: the host keeps no entry that says so, and an import would record what follows',
  },
  resumed: {
    done: (hidden: string) => `Resumed: ${hidden} since /ledger pause not recorded, for good`,
    already: 'Not paused: this session is recorded',
    failed: 'Still paused: the host keeps no entry that says otherwise',
  },
};

function hiddenText(recorder: Recorder, ctx: unknown): string {
  const host = readSession(ctx);
  const header = recorder.sessions().find(({ id }) => id === host?.id)?.header ?? null;
  return entriesText(host === null ? 0 : hiddenEntries(header, host.entries()));
}
