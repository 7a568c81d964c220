/** Runs of real packages, recorded on pi 1.6: requests that no entry explains. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problemsOf } from '../support/schemas.ts';
import { driveRequests, type Json } from './support/driven-requests.ts';

const recordings = join(import.meta.dirname, 'package-recordings');

function linesOf(name: string, file: string): readonly Json[] {
  return readFileSync(join(recordings, name, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Fires what the recorded run fired, and appends its session's entries as its answers end. */
function replay(name: string) {
  const hooks = linesOf(name, 'hooks.jsonl');
  const base = String(hooks.find(({ n }) => n === 'dc:create')?.origin);
  const driven = driveRequests(`${base}/v1`);
  const { fire } = driven;
  const [, ...entries] = linesOf(name, 'session.jsonl');
  const sent: object[] = [];
  const appendThrough = (isLast: (entry: Json) => boolean) => {
    const end = entries.findIndex(isLast);
    for (const { id: _, parentId: __, timestamp: ___, ...body } of entries.splice(0, end + 1))
      driven.add(body);
  };
  const doing: Readonly<Record<string, (rid: unknown) => void>> = {
    before_provider_request: () => void fire('turn_start'),
    'dc:create': () => void sent.push(driven.send(base) ?? {}),
    'dc:headers': () => driven.answered(sent.shift() ?? {}),
    message_end(rid) {
      appendThrough(({ message }) => (message as Json | undefined)?.responseId === rid);
      fire('turn_end');
    },
    session_compact() {
      appendThrough(({ type }) => type === 'compaction');
      fire('session_compact');
    },
  };
  driven.begin();
  for (const { n, rid } of hooks) doing[String(n)]?.(rid);
  appendThrough((entry) => entry === entries.at(-1));
  driven.settle();
  fire('session_shutdown', { reason: 'quit' });
  return driven;
}

describe('in a recorded run', () => {
  it.each(readdirSync(recordings))(
    'of %s, each request is in a record or in what is said',
    (name) => {
      const driven = replay(name);
      const events = driven.machine.events();
      const spent = ['pi.turn.completed.v1', 'pi.compaction.completed.v1', 'pi.usage.recorded.v1'];
      const records = events.filter(({ type }) => spent.includes(type));
      expect(driven.left()).toBeGreaterThan(0);
      expect(records.length + driven.left()).toBe(linesOf(name, 'truth.jsonl').length);
      expect(events.flatMap(problemsOf)).toEqual([]);
    },
  );
});
