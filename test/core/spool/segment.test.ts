import { appendFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSegment, removeIfUnchanged } from '../../../core/spool/segment.ts';
import { temporaryDirectory } from './support/places.ts';

function segmentOf(content: string | Buffer): string {
  const path = join(temporaryDirectory(), '00000001.ndjson');
  writeFileSync(path, content);
  return path;
}

describe('reading a segment', () => {
  it('gives its lines in order', async () => {
    const content = '{"a":1}\n{"b":"ä\\n"}\n';
    const expected = {
      state: 'read',
      lines: ['{"a":1}', '{"b":"ä\\n"}'],
      garbage: [],
      tornBytes: 0,
      sizeBytes: Buffer.byteLength(content),
    };
    expect(await readSegment(segmentOf(content))).toEqual(expected);
  });

  it('leaves out a half-written last line and says how long it is, in bytes', async () => {
    expect(await readSegment(segmentOf('{"a":1}\n{"b":"ä'))).toMatchObject({
      lines: ['{"a":1}'],
      tornBytes: 8,
      sizeBytes: 16,
    });
    expect(await readSegment(segmentOf('{"a"'))).toMatchObject({
      lines: [],
      tornBytes: 4,
      sizeBytes: 4,
    });
    expect(await readSegment(segmentOf(''))).toMatchObject({
      lines: [],
      garbage: [],
      tornBytes: 0,
      sizeBytes: 0,
    });
    // Cut in the middle of a character.
    expect(await readSegment(segmentOf(Buffer.from('{"a":1}\n{"ä').subarray(0, -1)))).toMatchObject(
      { lines: ['{"a":1}'], tornBytes: 3 },
    );
  });

  it('tells lines that cannot be events from the others, and forgets empty ones', async () => {
    const content = `{"a":1}\n\n${'\0'.repeat(9)}\n{"torn\n[1]\n{"b":2}\n`;
    expect(await readSegment(segmentOf(content))).toMatchObject({
      lines: ['{"a":1}', '{"b":2}'],
      garbage: ['\0'.repeat(9), '{"torn', '[1]'],
    });
  });

  it('says when it is gone, and when it cannot be read', async () => {
    const directory = temporaryDirectory();
    expect(await readSegment(join(directory, 'gone'))).toEqual({ state: 'gone' });
    mkdirSync(join(directory, 'directory.ndjson'));
    expect(await readSegment(join(directory, 'directory.ndjson'))).toEqual({
      state: 'unreadable',
      reason: 'EISDIR',
    });
  });
});

describe('removing a segment', () => {
  it('does so only when nothing was added since it was read', () => {
    const path = segmentOf('{"a":1}\n');
    const sizeBytes = statSync(path).size;
    appendFileSync(path, '{"b":2}\n');
    expect(removeIfUnchanged(path, sizeBytes)).toBe('changed');
    expect(removeIfUnchanged(path, statSync(path).size)).toBe('removed');
    expect(existsSync(path)).toBe(false);
    expect(removeIfUnchanged(path, sizeBytes)).toBe('gone');
  });

  it('says when it cannot', () => {
    const directory = join(temporaryDirectory(), 'not-a-file');
    mkdirSync(directory);
    expect(removeIfUnchanged(directory, statSync(directory).size)).toBe('failed');
  });
});
