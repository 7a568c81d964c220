/** A record on disk: a file for each question, with what was answered. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const textBytesMax = 2_000_000;
const linesOfHash = 2_000;
const nameCharsMax = 120;

export interface Folder {
  /** `question` is the first line of the file, which is named after it. */
  write(kind: string, question: string, answer: string): void;
}

export function folderAt(directory: string): Folder {
  return {
    write(kind, question, answer) {
      const path = join(directory, kind, `${fileName(question)}.txt`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${question}\n\n${shortened(answer)}\n`);
    },
  };
}

function fileName(question: string): string {
  const name = question.replaceAll(/[^\w.=-]+/g, '_');
  return name.length <= nameCharsMax
    ? name
    : `${name.slice(0, nameCharsMax)}-${hash(question).slice(0, 8)}`;
}

/** Replaces a long answer by its hashes, so that it is known where it differs. */
function shortened(answer: string): string {
  if (answer.length <= textBytesMax) return answer;
  const lines = answer.split('\n');
  const parts = Array.from({ length: Math.ceil(lines.length / linesOfHash) }, (_, index) => {
    const from = index * linesOfHash;
    return `lines from ${from}: ${hash(lines.slice(from, from + linesOfHash).join('\n'))}`;
  });
  return parts.join('\n');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
