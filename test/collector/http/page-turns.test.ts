/** A page of a thousand rows is made, fitted and written in turns with others. */
import type { Answers } from '@pi-ledger/contract/answers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { pageOf } from '../../../collector/answers/timings/list-routes.ts';
import { fitPage } from '../../../collector/http/cursor.ts';
import { sendList } from '../../../collector/http/formats.ts';
import { turnsOfOthers } from '../support/turns.ts';

const rows = Array.from({ length: 1_000 }, (_, index) => ({ model: `model-${index}` }));
/** After 250, 500 and 750. */
const turnsOfRows = 3;

it('its rows are fitted', async () => {
  const page = { rows, places: rows, next: null };
  const turns = await turnsOfOthers(() => fitPage(page, ({ model }) => model));
  expect(turns).toBeGreaterThanOrEqual(turnsOfRows);
});

it('its rows are made', async () => {
  const turns = await turnsOfOthers(() =>
    pageOf(
      rows,
      rows.length,
      ({ model }) => model,
      (row) => row,
    ),
  );
  expect(turns).toBeGreaterThanOrEqual(2 * turnsOfRows);
});

it.each([
  ['json', JSON.stringify({ rows, next: null })],
  ['csv', ['model', ...rows.map(({ model }) => model)].map((line) => `${line}\r\n`).join('')],
  ['ndjson', rows.map((row) => `${JSON.stringify(row)}\n`).join('')],
])('it is written as %s', async (format, expected) => {
  let sent = '';
  const reply = {
    header: () => reply,
    type: () => reply,
    send(text: string) {
      sent = text;
      return reply;
    },
  };
  const request = { query: { format }, headers: {} } as unknown as FastifyRequest;
  const answer = { rows, next: null } as unknown as Answers['GET /v1/models'];
  const turns = await turnsOfOthers(() =>
    sendList('GET /v1/models', request, reply as unknown as FastifyReply, {
      ...{ columns: ['model'], answer },
    }),
  );
  expect(turns).toBeGreaterThanOrEqual(turnsOfRows);
  expect(sent).toBe(expected);
});
