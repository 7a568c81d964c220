/**
 * The extension, as pi and omp load it: wiring only. Hooks go to the recorder, what it appends to the spool, what is in the spool to the collector.
 *
 * Handlers are synchronous, answer nothing and cannot throw. The end of a process is the one exception: it may wait, for a bounded time, until the
 * last events are sent, unless a collector reads this machine's spool anyway.
 */
import { registerLedgerCommand } from './command.ts';
import { asHostApi, type HostApi, shutdownReasonOf } from './host.ts';
import { toolsOf } from './host-prompt.ts';
import { triggersOf } from './live/triggers.ts';
import { producerOf, type Recording } from './producer.ts';
import type { Attachment } from './recorder.ts';

export default function piLedger(pi: unknown): void {
  const api = asHostApi(pi);
  if (api === null) return;
  const producer = producerOf(pi);
  switch (producer.state) {
    case 'recording':
      attach(api, producer);
      return;
    case 'broken':
      api.on('session_start', (_event, ctx) => producer.notices.deliver(ctx));
      return;
    case 'disabled':
      return;
  }
}

function attach(api: HostApi, producer: Recording): void {
  const attachment: Attachment = { sessionId: null, tools: toolsOf(api) };
  for (const trigger of triggersOf(producer.hostName)) {
    api.on(trigger, (event, ctx) => {
      producer.recorder.handle(trigger, event, ctx, attachment);
      producer.notices.deliver(ctx);
      return trigger === 'session_shutdown' && endsProcess(event, producer, attachment) ? flush(producer) : undefined;
    });
  }
  registerLedgerCommand(api, producer);
}

/** pi also shuts a session down to open another one, and omp when a subagent is done: the process goes on then. */
function endsProcess(event: unknown, producer: Recording, attachment: Attachment): boolean {
  const reason = shutdownReasonOf(event);
  const session = producer.recorder.sessions().find(({ id }) => id === attachment.sessionId);
  const isGuest = session?.attribution?.agent.kind === 'subagent' && session.parentage.kind !== 'child-process';
  return (reason === null || reason === 'quit') && !isGuest;
}

function flush(producer: Recording): Promise<void> | undefined {
  return producer.isReaderFresh() ? undefined : producer.shipper.flush(producer.config.flushOnExitMs);
}
