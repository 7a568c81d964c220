/** What commands have in common that show one answer of the API, as JSON or for people. */
import type { ExitCode, Terminal } from '../command.ts';
import type { Note } from '../output/answer-parts.ts';
import { type LedgerClient, withLedger } from './ledger-client.ts';
import { standingNotes, warningTexts } from './standing.ts';

interface AnswerShown<Answer extends object> {
  /** The projections that the answer is made of. */
  readonly views: readonly string[];
  ask(client: LedgerClient): Promise<Answer>;
  /** For people. `warnings`: why figures may be wrong. */
  print(answer: Answer, warnings: readonly Note[], client: LedgerClient): Promise<void>;
}

/** Exit code 1: a view is behind, so that figures may be wrong. */
export async function showAnswer<Answer extends object>(
  { json }: { readonly json?: true | undefined },
  terminal: Terminal,
  { views, ask, print }: AnswerShown<Answer>,
): Promise<ExitCode> {
  return withLedger(terminal, async (client) => {
    const warnings = await standingNotes(client, views);
    const answer = await ask(client);
    if (json) terminal.printJson({ ...answer, ...warningTexts(warnings) });
    else await print(answer, warnings, client);
    return warnings.length === 0 ? 0 : 1;
  });
}
