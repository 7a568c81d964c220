/**
 * Remotes as people, tools and attackers write them: in any spelling, valid or not, no password
 * leaves the machine, and a normal remote is still recognised.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutCredentials } from '../../../core/project/redact.ts';

/** No other part of a remote contains these letters. */
const secret = fc.stringMatching(/^QX[QX0-9]{3,20}XQ$/);

describe('withoutCredentials', () => {
  it.each([
    ['https:/ada:secret@git.example.org/shop.git', 'https:/git.example.org/shop.git'],
    ['https://ada:secret:/x/://y@git.example.org/shop.git', 'https://git.example.org/shop.git'],
    ['https:\\\\ada:secret@git.example.org\\shop.git', 'https:\\\\git.example.org\\shop.git'],
    ['https:/\u200b/ada:secret@git.example.org/shop.git', 'https://git.example.org/shop.git'],
    ['https://ada%3Asecret%40git.example.org/shop.git', 'https://git.example.org/shop.git'],
    ['https%3A%2F%2Fada%3Asecret%40git.example.org%2Fshop.git', 'https://git.example.org/shop.git'],
    ['https://ada@example.org:secret@git.example.org/shop.git', 'https://git.example.org/shop.git'],
    ['https://ada:1234/5@git.example.org/shop.git', 'https://git.example.org/shop.git'],
    ['https://ada:se#cr?et@git.example.org/shop.git', 'https://git.example.org/shop.git'],
    [
      'https://mirror.example.org/https://ada:secret@git.example.org/shop.git',
      'https://git.example.org/shop.git',
    ],
    [
      'https://mirror.example.org/https://secret@git.example.org/shop.git',
      'https://git.example.org/shop.git',
    ],
    ['//ada:secret@git.example.org/shop.git', '//git.example.org/shop.git'],
    ['git+ssh://ada:secret@git.example.org/shop.git', 'git+ssh://ada@git.example.org/shop.git'],
    ['ssh://ada%3Asecret@git.example.org/shop.git', 'ssh://ada@git.example.org/shop.git'],
    ['ada:secret@git.example.org:shop.git', 'git.example.org:shop.git'],
    ['ada:se/cret@git.example.org:shop.git', 'git.example.org:shop.git'],
    ['[ada:secret@git.example.org:22]:shop.git', '[git.example.org:22]:shop.git'],
    [
      'gcrypt::https://ada:secret@git.example.org/shop.git',
      'gcrypt::https://git.example.org/shop.git',
    ],
    ['ext::sh -c "curl -H token:secret"', 'ext::'],
    ['https://[2001:db8::1]:8443/shop.git', 'https://[2001:db8::1]:8443/shop.git'],
    [
      'https://dev.azure.com/acme/my%20shop/_git/till',
      'https://dev.azure.com/acme/my%20shop/_git/till',
    ],
    ['codecommit::eu-west-1://shop', 'codecommit::eu-west-1://shop'],
    ['git@git.example.org:/srv/a:b/shop.git', 'git@git.example.org:/srv/a:b/shop.git'],
    ['git.example.org:shop.git', 'git.example.org:shop.git'],
    ['file:///srv/git/shop.git', 'file:///srv/git/shop.git'],
    ['C:\\git\\shop.git', 'C:\\git\\shop.git'],
    ['C:/git/shop.git', 'C:/git/shop.git'],
    ['../shop.git', '../shop.git'],
  ])('makes %s %s', (remote, expected) => {
    expect(withoutCredentials(remote)).toBe(expected);
  });

  it('lets no password through, however it is spelt, and recognises the rest', () => {
    const spelling = fc.record({
      scheme: fc.constantFrom('https', 'HTTPS', 'http', 'ftp', 'ssh', 'git+ssh', 'svn+http'),
      slashes: fc.constantFrom('://', ':/\u200b/', ':\\\\', ':///', '%3A%2F%2F', ':/\t/'),
      user: fc.constantFrom('ada', '', 'ada@example.org', 'x-token', 'oauth2'),
      colon: fc.constantFrom(':', '%3A', '%3a'),
      at: fc.constantFrom('@', '%40', '%2540'),
      odd: fc.constantFrom('', '@', '%40', ':', '/', '%2F', '#', '?', ' ', '://', '\\', ']', '%'),
      after: fc.constantFrom(
        '/team/shop.git',
        '/team/shop.git?a=b',
        '/team/shop.git#c',
        ':8443/team/shop.git',
      ),
      before: fc.constantFrom('', ' ', 'url=', '"', '/mirror/', 'https://mirror.example.org/'),
      secret,
    });
    fc.assert(
      fc.property(
        spelling,
        ({ scheme, slashes, user, colon, at, odd, after, before, secret: word }) => {
          const password = word + odd + word;
          const credentials = user + colon + password + at;
          const remote = `${before}${scheme}${slashes}${credentials}git.example.org${after}`;
          const clean = withoutCredentials(remote);
          expect(clean).not.toMatch(/QX|XQ/);
          if (at === '@') expect(clean).toContain('git.example.org');
          if (at === '@' && !after.startsWith(':')) expect(clean).toContain('team/shop.git');
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('lets no password of ssh’s own spelling through', () => {
    const spelling = fc.record({
      user: fc.constantFrom('ada', 'git', 'ada@example.org', ''),
      colon: fc.constantFrom(':', '%3A'),
      odd: fc.constantFrom('', '@', '/', ':', '://'),
      at: fc.constantFrom('@', '%40'),
      path: fc.constantFrom(':team/shop.git', ':/team/shop.git', ':~/shop.git'),
      secret,
    });
    fc.assert(
      fc.property(spelling, ({ user, colon, odd, at, path, secret: word }) => {
        const clean = withoutCredentials(
          `${user}${colon}${word}${odd}${word}${at}git.example.org${path}`,
        );
        expect(clean).not.toMatch(/QX|XQ/);
        expect(clean).toContain(`git.example.org${path}`);
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves clean remotes as they are', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}$/);
    const clean = fc.oneof(
      fc
        .tuple(fc.constantFrom('https', 'http', 'git'), name, name)
        .map(([scheme, host, path]) => `${scheme}://${host}/${path}.git`),
      fc
        .tuple(fc.constantFrom('ssh', 'git+ssh'), name, name, name)
        .map(([scheme, user, host, path]) => `${scheme}://${user}@${host}:2222/${path}`),
      fc
        .tuple(name, name, name, name)
        .map(([user, host, team, path]) => `${user}@${host}:${team}/${path}.git`),
      fc.tuple(name, name).map(([first, second]) => `/srv/${first}/@${second}`),
    );
    fc.assert(fc.property(clean, (remote) => void expect(withoutCredentials(remote)).toBe(remote)));
  });

  it('is fast on adversarial input, and gives nothing for an overlong one', () => {
    for (const text of [
      ' '.repeat(20_000),
      ':/'.repeat(2_000),
      '%25'.repeat(1_300),
      'a:@'.repeat(1_300),
      '::'.repeat(2_000),
      'x::'.repeat(1_300),
    ])
      expect(typeof withoutCredentials(text)).toBe('string');
    expect(withoutCredentials(`https://ada:${'s'.repeat(5_000)}@h/x`)).toBe('');
  });
});
