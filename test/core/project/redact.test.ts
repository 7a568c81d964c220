import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutCredentials } from '../../../core/project/redact.ts';

describe('withoutCredentials', () => {
  it.each([
    ['https://git.example.org/ada/shop.git', 'https://git.example.org/ada/shop.git'],
    ['https://ada:secret@git.example.org/ada/shop.git', 'https://git.example.org/ada/shop.git'],
    ['https://ghp_secret@git.example.org:8443/shop.git', 'https://git.example.org:8443/shop.git'],
    ['https://ada:se@cret@git.example.org/shop.git', 'https://git.example.org/shop.git'],
    ['https://ada:se/cret@git.example.org/shop.git', 'https://git.example.org/shop.git'],
    [
      'https://git.example.org/shop.git?access_token=secret#secret',
      'https://git.example.org/shop.git',
    ],
    ['https://git.example.org/@ada/shop.git', 'https://git.example.org/@ada/shop.git'],
    ['HTTP://ada:secret@git.example.org', 'HTTP://git.example.org'],
    ['ssh://git@git.example.org:22/shop.git', 'ssh://git@git.example.org:22/shop.git'],
    ['ssh://git:secret@git.example.org/shop.git', 'ssh://git@git.example.org/shop.git'],
    ['git@git.example.org:ada/shop.git', 'git@git.example.org:ada/shop.git'],
    ['/srv/git/shop.git', '/srv/git/shop.git'],
    ['', ''],
  ])('makes %s %s', (remote, expected) => {
    expect(withoutCredentials(remote)).toBe(expected);
  });

  it('lets no password of any web address through', () => {
    const part = fc.stringMatching(/^[A-Za-z0-9@:/._~%-]{1,12}$/);
    fc.assert(
      fc.property(part, fc.constantFrom('https', 'http', 'ftp'), (odd, scheme) => {
        expect(
          withoutCredentials(`${scheme}://ada:SECRET${odd}@git.example.org/shop.git`),
        ).not.toContain('SECRET');
      }),
    );
  });
});
