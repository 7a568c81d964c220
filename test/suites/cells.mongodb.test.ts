import { expect, it } from 'vitest';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { expectSameAnswers, expectSameLog } from './cells/compare.ts';
import { factsIn } from './cells/facts.ts';
import { month } from './cells/given.ts';
import { openMongodbCells } from './cells/open-mongodb.ts';
import { questionsOn } from './cells/questions.ts';
import { cellsKit, expectSpread, someOf } from './cells.ts';

/** What SQLite answers in full; of the same questions as many as a server answers in time. */
const every = 12;
const cells = 3;
const databases = laneDatabases();

const { ledgers } = cellsKit((count) => openMongodbCells(databases.uri(), count), cells);

it('cells: mongodb answer as one cell does, in one database', async () => {
  const given = month(7, 2, 1);
  expectSpread(given, cells);
  const { single, joined } = await ledgers(given);
  const questions = someOf(questionsOn(await factsIn(single, 2)), every, 3);
  const { asked, rows } = await expectSameAnswers(single, joined, questions);
  expect(asked).toBeGreaterThan(50);
  expect(rows).toBeGreaterThan(100);
  await expectSameLog(single, joined, [undefined]);
});
