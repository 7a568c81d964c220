/** What the witnesses see in figures alone. */
import { describe, expect, it } from 'vitest';
import { noClaims } from '../../../collector/reconcile/claim-book.ts';
import { addUnit, noFigures, noSums, unitFigures } from '../../../collector/reconcile/figures.ts';
import type { FileFacts } from '../../../collector/reconcile/files/file-facts.ts';
import { createFindings } from '../../../collector/reconcile/findings.ts';
import type { LogFacts } from '../../../collector/reconcile/log-facts.ts';
import { reportWitnesses } from '../../../collector/reconcile/witnesses.ts';
import { emptyLog } from './support/empty-log.ts';
import { aUnit } from './support/units.ts';

const ids = ['one', 'other'];

/** Two sessions with a turn each in the log. */
function findingsOf(files: Partial<FileFacts>) {
  const log: LogFacts = {
    ...emptyLog,
    sessions: new Map(
      ids.map((sessionId) => {
        const sums = noSums();
        addUnit(sums, { ...aUnit(), sessionId });
        return [sessionId, { sessionId, sums, book: noClaims(), imported: true }];
      }),
    ),
  };
  const findings = createFindings();
  const facts = { results: [], sameAnswers: new Map(), sessions: new Map(), ...files };
  reportWitnesses(facts as unknown as FileFacts, log, findings);
  return ids.flatMap((id) => findings.of(id).map(({ reason }) => [id, reason]));
}

const session = {
  files: [],
  sealedUnits: 0,
  unreadableLines: 0,
  privateUnits: 0,
  otherAgentsUnits: 0,
};

describe('a witness', () => {
  it('sees the same answers in two sessions', () => {
    const sameAnswers = new Map([['other', new Map([['one', 1]])]]);
    expect(findingsOf({ sameAnswers })).toEqual([['other', 'same_answers']]);
  });

  it('sees a session that counts more than its file has', () => {
    const sessions = new Map([
      ['one', { ...session, sessionId: 'one', everything: unitFigures(aUnit()) }],
      ['other', { ...session, sessionId: 'other', everything: noFigures() }],
    ]);
    expect(findingsOf({ sessions } as unknown as FileFacts)).toEqual([['other', 'exceeds_file']]);
  });
});
