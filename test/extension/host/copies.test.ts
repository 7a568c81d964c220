import { describe, expect, it } from 'vitest';
import { createCopies } from '../../../extension/host/copies.ts';
import { contextOf, deadContext, newSession } from '../support/fake-session.ts';

function setUp() {
  const copies = createCopies();
  const log: string[] = [];
  const join = (file: string) =>
    copies.join(file, {
      onLead: () => void log.push(`${file} leads`),
      onFollow: (leader) => void log.push(`${file} follows ${leader}`),
    });
  return { join, log };
}

const ctx = contextOf(newSession('s1', 0));

describe('copies of the extension in one host', () => {
  it('handle each event once, and the second says so once', () => {
    const { join, log } = setUp();
    const [a, b] = [join('a'), join('b')];
    for (const event of [{}, {}, {}])
      expect([a.takes(event, ctx), b.takes(event, ctx)]).toEqual([true, false]);
    expect(log).toEqual(['a leads', 'b follows a']);
  });

  it('know an event by its session too: hosts may hand one to several', () => {
    const { join } = setUp();
    const [main, sub] = [join('a'), join('a')];
    const event = {};
    expect([main.takes(event, ctx), sub.takes(event, contextOf(newSession('s2', 0)))]).toEqual([
      true,
      true,
    ]);
    const other = {};
    expect([main.takes(other, ctx), sub.takes(other, contextOf(newSession('s1', 0)))]).toEqual([
      true,
      false,
    ]);
  });

  it('know an event of which the host makes one for each of them', () => {
    const { join, log } = setUp();
    const [a, b] = [join('a'), join('b')];
    for (const type of ['input', 'before_agent_start', 'after_provider_response']) {
      const shared = contextOf(newSession('s1', 0));
      expect([a.takes({ type }, shared), b.takes({ type }, shared)]).toEqual([true, false]);
    }
    expect(log).toEqual(['a leads', 'b follows a']);
  });

  it('count as one if a host evaluates the same file, or sends it the same event, again', () => {
    const { join, log } = setUp();
    const first = join('a');
    const event = {};
    expect([first.takes(event, ctx), first.takes(event, ctx)]).toEqual([true, true]);
    expect(join('a').takes({}, ctx)).toBe(true);
    expect(log).toEqual(['a leads', 'a leads']);
  });

  it('take over when the leading one is gone', () => {
    const { join, log } = setUp();
    join('a');
    const b = join('b');
    expect([b.takes({}, ctx), b.takes({}, ctx)]).toEqual([true, true]);
    expect(log).toEqual(['a leads', 'b leads']);
  });

  it('take whatever hosts hand out', () => {
    const { join } = setUp();
    const [a, b] = [join('a'), join('b')];
    for (const event of [undefined, null, 'text', 7])
      expect([a.takes(event, null), b.takes(event, null)]).toEqual([true, true]);
    const event = Object.freeze({});
    expect([a.takes(event, deadContext()), b.takes(event, deadContext())]).toEqual([true, false]);
  });
});
