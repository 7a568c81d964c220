/**
 * One ingest token sends names of every character that some program takes for the end of a line or
 * of a text: the exports for other programs stay whole.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { awkwardEvents, awkwardNames } from '../../test/collector/support/awkward-names.ts';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { samplesIn } from '../../test/collector/support/openmetrics.ts';
import { type AttackedCollector, startAttacked } from './support/collector.ts';
import { runProgram } from './support/process.ts';

const directory = temporaryDirectory();
const names = [...new Set(awkwardNames.map((name) => name.toWellFormed()))];
let collector: AttackedCollector;

beforeAll(async () => {
  collector = await startAttacked(directory);
  const events = awkwardEvents();
  const answer = await collector.attack({
    ...{ method: 'POST', target: '/v1/events', operation: 'ingest', scope: undefined },
    headers: ['Content-Type: application/cloudevents-batch+json'],
    body: Buffer.from(JSON.stringify(events)),
    caller: 'ingest',
  });
  expect(JSON.parse(answer.body)).toMatchObject({ accepted: events.length, rejected: [] });
});
afterAll(() => collector.stop());

it('OpenMetrics has each name in lines that are samples, and no series twice', () => {
  const file = join(directory, 'history.txt');
  const argv = ['export-openmetrics', '--since', '2026-11-01', '--output', file];
  runProgram(argv, collector.settings);
  const samples = samplesIn(readFileSync(file));
  const models = new Set(samples.map(({ labels }) => labels.gen_ai_request_model));
  expect(names.filter((name) => !models.has(name))).toEqual([]);
  expect(new Set(samples.map(({ series, at }) => `${series} ${at}`)).size).toBe(samples.length);
});

it('NDJSON is a line an event for readers that end lines elsewhere, too', () => {
  const file = join(directory, 'events.ndjson');
  runProgram(['export', file], collector.settings);
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split(/[\r\n\u0085\u2028\u2029]/);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('event');
});
