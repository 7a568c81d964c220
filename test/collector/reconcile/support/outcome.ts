import { type CommandLine, explanationsIn, faultsIn } from './command-line.ts';

export async function outcome(ledger: CommandLine, ...argv: string[]) {
  const { code, answer } = await ledger.reconcile(...argv);
  return { code, explained: explanationsIn(answer), faults: faultsIn(answer) };
}
