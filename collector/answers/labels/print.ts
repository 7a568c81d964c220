/** What a label after the fact is for, in sentences. */
import type { Labelled } from '@pi-ledger/contract/answers';
import type { LabelChange } from '@pi-ledger/contract/settings/labels';
import type { Terminal } from '../../cli/command.ts';
import { amountTexts } from '../../cli/output/amounts-text.ts';
import { printAnswer } from '../../cli/output/answer.ts';
import { countOf } from '../../cli/output/counts.ts';

export function printLabelled(
  answer: Labelled,
  terminal: Terminal,
  labels: LabelChange,
  dryRun: boolean,
): void {
  const { sessions, changed, records } = answer;
  const said = Object.entries(labels).map(([key, value]) => `${key}=${value ?? ''}`);
  const does = dryRun ? 'would label' : 'labelled';
  const what = `${countOf(records, 'record')} in ${countOf(sessions, 'session')}`;
  printAnswer(terminal, {
    first: records === 0 ? 'no record fits' : `${does} with ${said.join(', ')}: ${what}`,
    body: records === 0 ? [] : [moneyText(answer), ...changeText(sessions, changed, dryRun)],
    notes: [
      {
        text:
          'sessions recorded or imported later are not covered; ' +
          'a rule in config.json (labels) covers them too',
      },
    ],
  });
}

function moneyText(answer: Labelled): string {
  const { unpricedRecords } = answer;
  const texts = amountTexts(answer, 2);
  return [
    ...texts,
    ...(unpricedRecords === 0 ? [] : [`${countOf(unpricedRecords, 'record')} without a price`]),
    ...(texts.length === 0 ? ['no cost'] : []),
  ].join(', ');
}

function changeText(sessions: number, changed: number, dryRun: boolean): readonly string[] {
  if (changed === sessions) return [];
  const rest = sessions - changed;
  return [`${countOf(rest, 'session')} ${dryRun ? 'have' : 'had'} it already`];
}
