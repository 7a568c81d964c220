import { expect, it } from 'vitest';
import { sha256Hex } from '../../../../core/record/identity/sha256.ts';

it.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['é\u{1f600}', '1184d1f608158eea09d297565575892231550c403aaa913008d867a97cfd5c76'],
])('the SHA-256 of %j is the same where the platform cannot hash at once', (text, hex) => {
  expect(sha256Hex(text)).toBe(hex);
  expect(sha256Hex(text, null)).toBe(hex);
});
