import { describe, expect, it } from 'vitest';
import { sharedUrl } from '../../../collector/config/shared-url.ts';

const plain = { address: '127.0.0.1', hosts: [], port: 7717, tls: null, url: null };
const tls = { certFile: '/c.pem', keyFile: '/k.pem' };

describe('the address to give to others', () => {
  it.each([
    ['where it listens', {}, 'http://127.0.0.1:7717'],
    ['the machine, if on all addresses', { address: '0.0.0.0' }, 'http://desk:7717'],
    ['... of both kinds', { address: '::', tls }, 'https://desk:7717'],
    ['an address as URLs have it', { address: 'fd00::1', port: 80 }, 'http://[fd00::1]:80'],
    ['its name, which a proxy serves', { hosts: ['l.example', 'b'] }, 'https://l.example'],
    [
      'its name and port with TLS of its own',
      { hosts: ['l.example'], tls },
      'https://l.example:7717',
    ],
    ['what the settings say', { hosts: ['b'], url: 'https://x.example/l' }, 'https://x.example/l'],
  ])('is %s', (_, settings, url) => {
    expect(sharedUrl({ ...plain, ...settings }, 'desk')).toBe(url);
  });
});
