/** Where to look: the page, once a collector serves it. */
import { browserCommand } from '@pi-ledger/core/machine/browser-command';
import { ownLine } from '../../own-line.ts';
import { runProgram } from '../run-program.ts';
import type { Setup, SetupStep, Task } from '../task.ts';
import { collectorUrl } from '../wait-for-collector.ts';

export const openPage: SetupStep = async (setup) => {
  const { config, terminal, isAsking, isDryRun, say } = setup;
  const url = await collectorUrl(config, 0);
  if (url !== null) {
    say('page', `${url}/`);
    return openIn(`${url}/`, setup);
  }
  if (isAsking) return [startHere(setup)];
  const line = isDryRun ? 'would show its address' : `start it: ${ownLine(terminal, 'start')}`;
  say('page', line);
  return [];
};

function openIn(address: string, { terminal, say }: Setup): readonly Task[] {
  const { env } = terminal;
  const command = browserCommand(env, process.platform);
  if (command === null) return [];
  return [
    {
      topic: 'page',
      would: `open ${address}`,
      question: 'open it in the browser?',
      refused: 'not opened',
      async act() {
        const { code } = await runProgram([...command, address], { env, timeoutMs: 10_000 });
        if (code !== 0) say('page', `no browser opened: see ${address}`);
        return true;
      },
    },
  ];
}

function startHere({ terminal }: Setup): Task {
  return {
    topic: 'page',
    would: 'run the collector here',
    question: 'run the collector in this terminal, until Ctrl-C?',
    refused: `start it: ${ownLine(terminal, 'start')}`,
    async act() {
      const { runCollector } = await import('../../commands/start.ts');
      return (await runCollector(terminal)) === 0;
    },
  };
}
