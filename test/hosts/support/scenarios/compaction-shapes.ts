/**
 * Every way in which a host compacts, one after another in a single RPC session with the small
 * model: one run for all tests.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RpcClient } from '../host/rpc-client.ts';
import { startRpc } from '../host/run-host.ts';
import type { Sandbox } from '../host/sandbox.ts';
import { extension } from '../ledger/ledger.ts';

/** A window of 10,000 tokens, 1,000 in reserve, about 100 kept: see host-config.ts. */
export const small = 'fake-openai/fake-small';

export interface Played {
  /** The host's answer when the model refused to write a summary. */
  readonly refusal: string;
  readonly exitCode: number | null;
}

export const instructions = {
  manual: 'short please',
  extension: 'OWN-SUMMARY',
  failing: 'FAIL-SUMMARY',
} as const;

/** Contract: throws if the host does not do what it is asked. */
export async function playCompactions(sandbox: Sandbox): Promise<Played> {
  const rpc = startRpc(sandbox, { model: small, extension: [extension, writeSummarizer(sandbox)] });
  await rpc.prompt('SCN:tools');
  await overflow(rpc);
  await back(rpc);
  await rpc.prompt('SCN:big#one');
  await rpc.prompt('SCN:big#two');
  await rpc.prompt('SCN:bigloop:3');
  await rpc.prompt('SCN:tools');
  await compact(rpc, instructions.manual);
  await rpc.prompt('SCN:tools');
  await compact(rpc, instructions.extension);
  await rpc.prompt('SCN:tools');
  const refusal = await compact(rpc, instructions.failing).then(
    () => 'none',
    (error: unknown) => String(error),
  );
  await rpc.prompt(`SCN:big ${instructions.failing}`);
  // Back to before that prompt, in a new file, which begins with copies of all these compactions
  // and ends with one.
  const points = await rpc.forkPoints();
  await rpc.fork(points.at(-1)?.entryId ?? '');
  await rpc.prompt('SCN:tools');
  await compact(rpc, instructions.manual);
  return { refusal, exitCode: (await rpc.close()).exitCode };
}

function compact(rpc: RpcClient, customInstructions: string) {
  return rpc.request({ type: 'compact', customInstructions });
}

const pauseMs = 50;
const pausesMax = 400;

/** pi 0.73 continues with the prompt only some time after it reported to be idle. */
async function overflow(rpc: RpcClient): Promise<void> {
  await rpc.prompt('SCN:overflow');
  const isAnswered = () =>
    rpc.events.some(
      ({ type, message }) =>
        type === 'message_end' && JSON.stringify(message).includes('Now it fits.'),
    );
  for (let pause = 0; pause < pausesMax; pause += 1) {
    if (isAnswered() && (await rpc.state()).isStreaming !== true) return;
    await sleep(pauseMs);
  }
  throw new Error('the host did not go on after its context had overflowed');
}

/** Leaves the branch of the last prompt with a summary. */
async function back(rpc: RpcClient): Promise<void> {
  await rpc.request({ type: 'prompt', message: '/back' });
  await rpc.waitFor(
    ({ type, method, message }) =>
      type === 'extension_ui_request' && method === 'notify' && message === 'Back.',
  );
}

/** An extension that writes the summary itself on request, and adds a command that rpc lacks. */
function writeSummarizer({ home }: Sandbox): string {
  const file = join(home, 'summarizer.ts');
  writeFileSync(file, summarizer);
  return file;
}

const summarizer = `
export default function (pi) {
  pi.on('session_before_compact', ({ preparation, customInstructions }) => {
    if (customInstructions !== ${JSON.stringify(instructions.extension)}) return undefined;
    const { firstKeptEntryId, tokensBefore } = preparation;
    return { compaction: { summary: 'An extension wrote this.', firstKeptEntryId, tokensBefore } };
  });
  pi.registerCommand('back', {
    description: 'Before the last prompt',
    handler: async (_args, ctx) => {
      const entries = ctx.sessionManager.getEntries();
      const prompts = entries.filter((entry) => entry.message?.role === 'user');
      await ctx.navigateTree(prompts.at(-1).id, { summarize: true });
      ctx.ui.notify('Back.');
    },
  });
}
`;
