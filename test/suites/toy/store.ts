/**
 * What a made-up agent keeps: a folder for each session, with `session.json` and a file for each
 * answer. It has nothing in common with session files.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `session.json` */
export interface ToySession {
  readonly id: string;
  readonly folder: string;
  readonly began: string;
}

/** `answer-<number>.json` */
export interface ToyAnswer {
  readonly id: string;
  readonly at: string;
  readonly by: readonly [provider: string, model: string];
  readonly tokens: { readonly in: number; readonly out: number };
  readonly usd: number;
}

const began = Date.parse('2026-11-20T09:00:00.000Z');
const at = (minute: number) => new Date(began + minute * 60_000).toISOString();

/** Two sessions, of three answers and one. Returns the sources: the files of each. */
export function writeToyStore(directory: string): readonly (readonly string[])[] {
  return [3, 1].map((answers, number) => {
    const name = `chat-${number}`;
    mkdirSync(join(directory, name), { recursive: true });
    const write = (file: string, value: ToySession | ToyAnswer) => {
      writeFileSync(join(directory, name, file), JSON.stringify(value));
      return `${name}/${file}`;
    };
    return [
      write('session.json', { id: `toy-${number}`, folder: '/home/ada/shop', began: at(number) }),
      ...Array.from({ length: answers }, (_, index) =>
        write(`answer-${index}.json`, {
          id: `a${number}${index}`,
          at: at(number + index + 1),
          by: ['acme', 'acme-1'],
          tokens: { in: 100 * (number + 1), out: 10 * (index + 1) },
          usd: 0.001 * (index + 1),
        }),
      ),
    ];
  });
}
