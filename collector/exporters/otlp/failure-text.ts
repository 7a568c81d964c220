/** What an endpoint says of a failure, as one short line without secrets. Pure. */

const textMax = 200;

/** `secrets`: values of headers, in case the endpoint repeats them. */
export function failureText(text: string, secrets: Iterable<string>): string {
  let shown = text;
  for (const secret of secrets) {
    // A part of it may be the secret: `Bearer <token>`.
    for (const part of [secret, ...secret.split(/\s+/)])
      if (part.length > 3) shown = shown.replaceAll(part, '***');
  }
  return shown
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, textMax);
}
