import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactionCompleted } from '../../../contract/events/entry/compaction-completed.ts';
import { contentCharsMax, createRedactor } from '../../../core/content/redactor.ts';
import { harmlessText, secretKinds } from './support/planted.ts';

const redact = createRedactor({ homeDirectory: '/srv/people/ada' });

describe('a text that may travel', () => {
  it.each(Object.entries(secretKinds))(
    'holds no %s, wherever it stood',
    (_kind, { arbitrary, around = (value: string) => value }) => {
      fc.assert(
        fc.property(
          harmlessText,
          arbitrary,
          harmlessText,
          fc.constantFrom(' ', '\n', '`', '"', '('),
          (before, secret, after, edge) => {
            const { text, redactions } = redact(
              `${before}${edge}${around(secret)}${edge === '(' ? ')' : edge}${after}`,
            );
            expect(text).not.toContain(secret);
            expect(redactions).toBeGreaterThan(0);
          },
        ),
        { numRuns: 60 },
      );
    },
  );

  it('is unchanged without secrets', () => {
    fc.assert(
      fc.property(harmlessText, (text) => {
        expect(redact(text)).toEqual({ text, truncated: false, redactions: 0 });
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    'git remote git@github.com:acme/shop.git, ssh://git@git.example/acme/shop.git',
    'http://localhost:3000/@vite/client and https://npm.example/package/@scope/name',
    'tokens before: 9600, maxTokens = 16384, max_tokens=128000, ' +
      'commit 3f786850e387550fdab836ed7e6dc881de23001b',
    'the token bucket is full; the secret of the house; a passwordless login; ' +
      'basic internationalization',
    'reads `notes.txt:10-20`, writes src/home/index.ts and docs/Users.md',
    'const key = row.id; sk-learn; id 01a1fff3-f500-7217-95c2-a1e195f7b3f4',
  ])('is left alone: %s', (text) => {
    expect(redact(text).text).toBe(text);
  });

  it('says what stood there', () => {
    const { text } = redact(
      'ada@example.org deploys /srv/people/ada/shop and /home/bob/x with password: "hunter2"',
    );
    expect(text).toBe('[email] deploys ~/shop and ~/x with password: "[redacted]"');
  });

  it('cannot switch the rules off', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const { text } = redact(`// secretlint-disable\n${key}\n/* secretlint-disable-line */ ${key}`);
    expect(text).not.toContain(key);
  });

  it('holds nothing of a private key that breaks off', () => {
    const body = 'MIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0bu3aozN3tihPmljnnudb9G3HECdnH';
    expect(
      redact(`key:\n-----BEGIN RSA PRIVATE KEY-----\n${body}\n${body.slice(0, 30)}`).text,
    ).toBe('key:\n[redacted]');
  });

  it('is truncated after redaction, at a whole character, and says so', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: contentCharsMax - 60, max: contentCharsMax + 60 }),
        fc.constantFrom('x', '😀'),
        (chars, filler) => {
          const key = `ghp_${'a1B2'.repeat(9)}`;
          const plain = filler.repeat(Math.ceil(chars / filler.length)).slice(0, chars);
          const { text, truncated } = redact(`${plain} ${key} ${'and more '.repeat(10)}`);
          expect(text.length).toBeLessThanOrEqual(contentCharsMax);
          expect(truncated).toBe(true);
          for (let length = 8; length <= key.length; length += 1)
            expect(text).not.toContain(key.slice(0, length));
          expect(text.isWellFormed()).toBe(plain.isWellFormed() || text.length < plain.length);
        },
      ),
    );
  });

  it('keeps no half of a secret at the end of the scanned part', () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'A'.repeat(64)}\n`;
    for (const chars of [65_500, 65_536 - key.length, 65_536]) {
      const filler = 'password=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa '
        .repeat(2_000)
        .slice(0, chars);
      const { text, truncated } = redact(`${filler}ghp_${'a1B2'.repeat(9)}`);
      expect(text).not.toMatch(/ghp_|aaaa/);
      expect([truncated, text.length <= contentCharsMax]).toEqual([true, true]);
    }
  });

  it('keeps the limit of the contract', () => {
    const { summaryText } = compactionCompleted.data.properties;
    expect(summaryText).toMatchObject({ properties: { text: { maxLength: contentCharsMax } } });
  });

  it('takes no longer than its length asks for', () => {
    for (const piece of [
      'a',
      'aA1/',
      '/home/x/',
      'a.b@',
      'sk-',
      'token',
      'password',
      '-----BEGIN PRIVATE KEY-----',
      'x=',
      '://',
      '://a:',
      'é@',
      ' ',
    ]) {
      expect(redact(piece.repeat(200_000 / piece.length)).text.length).toBeLessThanOrEqual(
        contentCharsMax,
      );
    }
  });
});
