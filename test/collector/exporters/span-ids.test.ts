import { describe, expect, it } from 'vitest';
import { eventSpanId, promptTraceId, runSpanId } from '../../../collector/exporters/span-ids.ts';

describe('ids of traces and spans', () => {
  it('are the same for the same run and event, for ever', () => {
    expect(promptTraceId('session', 'c15232cc')).toMatchInlineSnapshot(
      `"f914ee70c049542d5bddb00344590fad"`,
    );
    expect(runSpanId('session', 'c15232cc')).toMatchInlineSnapshot(`"53174446ba388a3b"`);
    expect(eventSpanId('01a2073c-26a2-8daf-b11a-f0afd6cfa211')).toMatchInlineSnapshot(
      `"47462229db9ebe5e"`,
    );
  });

  it('differ by what they are about, however its parts are divided', () => {
    const ids = [
      promptTraceId('ab', 'c').slice(0, 16),
      promptTraceId('a', 'bc').slice(0, 16),
      runSpanId('ab', 'c'),
      runSpanId('a', 'bc'),
      eventSpanId('ab'),
      eventSpanId('abc'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true);
  });
});
