/** What changes a ledger, step by step, and what it answers after each. */
import { join } from 'node:path';
import { type Asked, asText, lineOf } from './commands.ts';
import { run, type Subject } from './tree.ts';

export type Write = (kind: string, question: string, answer: string) => void;

const answers: readonly Asked[] = [
  { argv: ['report'], columns: 120 },
  { argv: ['report', '--by', 'provider,kind', '--json'] },
  { argv: ['report', '--by', 'label:ticket', '--csv'] },
  { argv: ['sessions', '--limit', '50'], columns: 120 },
  { argv: ['compactions'], columns: 120 },
  { argv: ['models'], columns: 120 },
  { argv: ['requests', '--failed'], columns: 120 },
  { argv: ['budgets', '--json'] },
  { argv: ['insights', '--json'] },
  { argv: ['reconcile', '--json'] },
];

/** One process at a time has the store; `session` is one of the ledger. */
export async function changeAndAsk(
  subject: Subject,
  { session, sealBefore }: { readonly session: string; readonly sealBefore: string },
  write: Write,
): Promise<void> {
  const steps: readonly (readonly string[])[] = [
    ['billing', 'demo-openai=metered', 'demo-anthropic=subscription'],
    ['label', 'ticket=W-1', '--project', 'demo-shop', '--since', sealBefore],
    ['withdraw', 'session', session, '--reason', 'recorded'],
    ['seal', '--before', sealBefore],
    ['rebuild', 'sessions'],
    ['copy', '--to', `sqlite:${join(subject.home, 'copy.db')}`],
  ];
  for (const [index, argv] of steps.entries()) {
    const kind = join('afterwards', `${index + 1}-${argv[0]}`);
    write(kind, lineOf({ argv }), asText(await run(subject, argv)));
    for (const asked of answers)
      write(kind, lineOf(asked), asText(await run(subject, asked.argv, asked)));
  }
}
