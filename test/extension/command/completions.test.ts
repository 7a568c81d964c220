/** What a host's editor is told while somebody types `/ledger ...`. */
import { describe, expect, it } from 'vitest';
import { complete } from '../../../extension/command/answer.ts';
import { names } from '../../../extension/command/names.ts';

const values = (typed: string, keys: readonly string[] = []) =>
  complete(typed, keys)?.map(({ value }) => value) ?? null;

describe('completions of /ledger', () => {
  it('are all subcommands, each with what it does', () => {
    const all = complete('', ['ticket']) ?? [];
    expect(all.map(({ label }) => label)).toEqual(Object.keys(names));
    for (const { description } of all) expect(description).not.toBe('');
  });

  it('are those that begin as typed', () => {
    expect(values('s')).toEqual(['session', 'spool']);
    expect(values('co')).toEqual(['context', 'compactions']);
    expect(values('la')).toEqual(['label ']);
    expect(values('x')).toBeNull();
  });

  it('end when nothing is left to complete', () => {
    expect(values('spool')).toBeNull();
    expect(values('spool x')).toBeNull();
  });

  it('are the keys of labels that the session has, after `label`', () => {
    expect(values('label ', ['ticket', 'team'])).toEqual(['label ticket=', 'label team=']);
    expect(values('label te', ['ticket', 'team'])).toEqual(['label team=']);
    expect(values('label ', [])).toBeNull();
  });
});
