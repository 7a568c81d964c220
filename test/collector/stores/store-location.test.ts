import { describe, expect, it } from 'vitest';
import { readStoreLocation, storeName } from '../../../collector/stores/store-location.ts';

describe('where a store is', () => {
  it.each([
    ['sqlite:/data/ledger.db', { kind: 'sqlite', path: '/data/ledger.db' }],
    ['mongodb://db.example/ledger', { kind: 'mongodb', uri: 'mongodb://db.example/ledger' }],
    [
      'mongodb://a:1,b:2/?replicaSet=rs0',
      { kind: 'mongodb', uri: 'mongodb://a:1,b:2/?replicaSet=rs0' },
    ],
    ['mongodb+srv://u:p@db.example', { kind: 'mongodb', uri: 'mongodb+srv://u:p@db.example' }],
  ])('%s is understood', (text, expected) => {
    expect(readStoreLocation(text)).toEqual(expected);
  });

  it.each([
    '',
    'sqlite:relative.db',
    '/data/ledger.db',
    'mongodb://',
    'mongodb:///x',
    'postgres://x',
    5,
    null,
  ])('%s is not', (value) => {
    expect(readStoreLocation(value)).toBeUndefined();
  });

  it('is named without user, password and options', () => {
    expect(
      storeName({
        kind: 'mongodb',
        uri: 'mongodb://user:pa%40ss@db.example:27017/ledger?authSource=admin&x=y',
      }),
    ).toBe('mongodb://db.example:27017/ledger');
    expect(storeName({ kind: 'sqlite', path: '/data/x.db' })).toBe('/data/x.db');
  });
});
