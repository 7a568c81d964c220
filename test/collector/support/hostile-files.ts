/** Files full of names that attack terminals: a session, price lists, an export. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostileName } from './hostile.ts';

export function writeHostileFiles(directory: string): void {
  mkdirSync(directory, { recursive: true });
  const header = {
    type: 'session',
    version: 3,
    id: 'hostile',
    timestamp: '2026-11-22T08:00:00.000Z',
    cwd: `/${hostileName}`,
  };
  const message = {
    type: 'message',
    id: 'aaaaaaaa',
    parentId: null,
    timestamp: '2026-11-22T08:01:00.000Z',
  };
  const answer = {
    role: 'assistant',
    provider: hostileName,
    model: hostileName,
    usage: { input: 1, output: 1, cost: { total: 1 } },
    content: [],
  };
  const lines = [header, { ...message, message: answer }, { [hostileName]: hostileName }];
  writeFileSync(
    join(directory, '2026-11-22_hostile.jsonl'),
    `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"${hostileName}\n`,
  );
  writeFileSync(
    join(directory, 'good.json'),
    JSON.stringify({
      [hostileName]: { models: { [hostileName]: { cost: { input: 1, output: 2 } } } },
    }),
  );
  writeFileSync(
    join(directory, 'bad.json'),
    JSON.stringify({
      [hostileName]: { models: { [hostileName]: { cost: { input: hostileName } } } },
    }),
  );
  writeFileSync(
    join(directory, 'events.ndjson'),
    `{"${hostileName}\n${JSON.stringify({ type: hostileName })}\n`,
  );
}
