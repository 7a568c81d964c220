import { describe, expect, it } from 'vitest';
import { type ContentsOptions, createContents } from '../../../core/content/contents.ts';
import type { Redact } from '../../../core/content/redactor.ts';

const redact: Redact = (text) => ({
  text: text.replace('secret', '[redacted]'),
  truncated: false,
  redactions: 1,
});

function drive(load: ContentsOptions['import']) {
  const later: (() => void)[] = [];
  const notices: string[] = [];
  let imports = 0;
  const contents = createContents({
    import() {
      imports += 1;
      return load();
    },
    soon: (callback) => void later.push(callback),
    notify: (message) => void notices.push(message),
  });
  const idle = async () => {
    for (const callback of later.splice(0)) callback();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { contents, notices, idle, imports: () => imports };
}

describe('contents', () => {
  it('are null until the redaction library is loaded, once and off the caller’s path', async () => {
    const { contents, idle, imports } = drive(async () => redact);
    const told: string[] = [];
    expect([contents.of('a secret'), contents.isReady()]).toEqual([null, false]);
    contents.load();
    contents.whenReady(() => told.push('ready'));
    expect([imports(), told]).toEqual([0, []]);
    await idle();
    contents.whenReady(() => told.push('again'));
    expect([contents.of('a secret')?.text, told, imports(), contents.problem()]).toEqual([
      'a [redacted]',
      ['ready', 'again'],
      1,
      null,
    ]);
  });

  it('are not sent without it, and the user is told', async () => {
    const { contents, idle, notices } = drive(() => Promise.reject(new Error('no such module')));
    const told: string[] = [];
    contents.whenReady(() => told.push('ready'));
    await idle();
    expect([contents.of('a secret'), contents.isReady(), told]).toEqual([null, true, ['ready']]);
    expect(notices).toEqual([
      'pi-ledger sends no summary texts: ' +
        'the redaction library could not be loaded (no such module).',
    ]);
    expect(contents.problem()).toContain('no such module');
  });

  it('are not sent if it fails on one, and nothing throws', async () => {
    const { contents, idle, notices } = drive(async () => (text) => {
      if (text === 'bad') throw new RangeError('too deep: a secret');
      return redact(text);
    });
    contents.load();
    await idle();
    expect([contents.of('bad'), contents.of('a secret')?.text]).toEqual([null, 'a [redacted]']);
    expect(notices).toEqual(['pi-ledger sends no summary texts: redacting one of them failed.']);
  });
});
