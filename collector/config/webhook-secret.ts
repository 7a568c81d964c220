/** The key that a webhook's secret stands for, as Standard Webhooks 1.0 writes it. */

const prefix = 'whsec_';
const bytesMin = 24;
const bytesMax = 64;

export const secretExpected =
  `16 to 500 visible ASCII characters; behind "${prefix}", ` +
  `Base64 (with its padding) of ${bytesMin} to ${bytesMax} bytes`;

/**
 * Behind `whsec_` stands Base64; of any other text, the bytes are the key. Null: it is too short or
 * too long, or no Base64, which would otherwise be a short or an empty key.
 */
export function decodeSecret(secret: string): Buffer | null {
  if (!/^[\x21-\x7e]{16,500}$/.test(secret)) return null;
  if (!secret.startsWith(prefix)) return Buffer.from(secret);
  const text = secret.slice(prefix.length);
  const key = Buffer.from(text, 'base64');
  const isWhole = key.toString('base64') === text;
  return isWhole && key.length >= bytesMin && key.length <= bytesMax ? key : null;
}
