import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadedExtension, prompt } from './support/loaded-extension.ts';

const { home, run, events } = loadedExtension();

describe('an extension with unknown settings', () => {
  const configure = (settings: unknown) => {
    mkdirSync(join(home(), 'ledger'));
    writeFileSync(join(home(), 'ledger', 'config.json'), JSON.stringify(settings));
  };

  it('says so once, but records', async () => {
    configure({ retentionDay: 30, frobnicate: 's3cr3t' });
    const { notices, stderr } = await run({ factories: 2, events: [...prompt, ...prompt] });
    expect(notices).toEqual([
      'pi-ledger ignores unknown settings: ' +
        '`retentionDay`: unknown; did you mean `retentionDays`? · `frobnicate`: unknown',
    ]);
    expect(stderr).toBe('');
    expect(events().length).toBeGreaterThan(0);
  });

  it('records nothing if that was probably intended', async () => {
    configure({ disable: true });
    const { notices } = await run();
    expect(notices).toEqual([
      'pi-ledger records nothing: its configuration is invalid: ' +
        '`disable`: unknown; did you mean `disabled`?',
    ]);
    expect(events()).toEqual([]);
  });
});

describe('an extension that cannot work', () => {
  const twice = [...prompt, ...prompt];

  it('says so once, in the interface, and stays inactive', async () => {
    const { answers, notices, stderr } = await run({
      factories: 2,
      events: twice,
      env: { PI_LEDGER_PORT: 'x', PI_LEDGER_URL: '' },
    });
    expect(answers).toEqual(['undefined']);
    expect(notices).toEqual([
      'pi-ledger records nothing: its configuration is invalid: ' +
        'PI_LEDGER_PORT is "x", expected a whole number from 0 to 65535.',
    ]);
    expect([stderr, events()]).toEqual(['', []]);
  });

  it('says so on stderr without an interface', async () => {
    const { notices, stderr } = await run({
      events: twice,
      hasUI: false,
      env: { PI_LEDGER_HOME: 'relative' },
    });
    expect(notices).toEqual([]);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining('PI_LEDGER_HOME is "relative"'),
    ]);
  });

  it.each(['/proc/nowhere', '/dev/null/x'])(
    'cannot be made to hang by a home like %s',
    async (path) => {
      const { notices } = await run({ env: { PI_LEDGER_HOME: path } });
      expect(notices).toEqual([
        expect.stringMatching(/^pi-ledger records nothing: .*(\(E[A-Z]+\)|not a folder)\.$/),
      ]);
    },
  );

  it.each([
    [{ PI_LEDGER_PORT: 'x', PI_LEDGER_URL: '' }, /records nothing: .*PI_LEDGER_PORT is "x"/],
    [{ PI_LEDGER_HOME: 'relative' }, /records nothing: .*PI_LEDGER_HOME/],
    [{ PI_LEDGER_HOME: '/dev/null/x' }, /records nothing: .*a part of this path is a file/],
    [{ PI_LEDGER_DISABLED: '1' }, /records nothing: it is switched off \(PI_LEDGER_DISABLED\)/],
  ])('has a /ledger that says why, without a model call: %j', async (env, reason) => {
    const { notices } = await run({
      events: [['/ledger', {}]],
      env: env as Record<string, string>,
    });
    expect(notices).toEqual([expect.stringMatching(reason)]);
  });

  it('that was switched off is silent', async () => {
    writeFileSync(join(home(), 'ledger'), 'a file in the way, and nobody looks');
    const { hooks, notices, stderr } = await run({ env: { PI_LEDGER_DISABLED: '1' } });
    expect([hooks, notices, stderr]).toEqual([[], [], '']);
  });
});
