/** `/ledger pause` and `/ledger resume`: what is private is not recorded, by anybody. */
import { sessionOf } from '../host/session.ts';
import { hiddenEntries } from '../live/pausing.ts';
import type { Recording } from '../producer.ts';
import type { Attachment, Recorder } from '../recorder.ts';
import { entriesText } from './amounts.ts';

/** Returns null for another subcommand. Contract: done when it returns, never throws. */
export function switchRecording(
  name: string,
  { recorder, hostName }: Pick<Recording, 'recorder' | 'hostName'>,
  ctx: unknown,
  attachment: Attachment,
): string | null {
  if (name !== 'pause' && name !== 'resume') return null;
  const to = name === 'pause' ? 'paused' : 'resumed';
  const state = isPaused(recorder, sessionOf(ctx)?.id ?? null) ? 'paused' : 'resumed';
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
  const host = sessionOf(ctx);
  const header = recorder.sessions().find(({ id }) => id === host?.id)?.header ?? null;
  return entriesText(host === null ? 0 : hiddenEntries(header, host.entries()));
}
