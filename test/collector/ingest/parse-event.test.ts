import { describe, expect, it } from 'vitest';
import { parseEvent } from '../../../collector/ingest/ingest.ts';

describe('the text of an event', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['null', null],
    ['{"a":', undefined],
    ['', undefined],
  ])('%j is %j', (text, value) => expect(parseEvent(text)).toEqual(value));
});
