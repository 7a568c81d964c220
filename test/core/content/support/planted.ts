/** Realistic secrets of many kinds, none of them real, and texts without any. */
import fc, { type Arbitrary } from 'fast-check';

interface SecretKind {
  /** The secret, which must not remain. */
  readonly arbitrary: Arbitrary<string>;
  /** How it appears in texts. */
  around?(secret: string): string;
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const from = (alphabet: string, length: number) =>
  fc
    .array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length })
    .map((parts) => parts.join(''));
/** Contains a letter and a digit, as generated keys do. */
const drawn = (length: number, alphabet = letters + digits) =>
  fc
    .tuple(from(alphabet, length - 2), fc.constantFrom('a', 'f', 'b'), fc.constantFrom('1', '7'))
    .map((parts) => parts.join(''));
const prefixed = (prefix: string, length: number, alphabet?: string) =>
  drawn(length, alphabet).map((key) => prefix + key);
const hex = `${digits}abcdef`;
const password = drawn(12, `${letters}${digits}!%+*`);

export const secretKinds: Readonly<Record<string, SecretKind>> = {
  'AWS access key id': {
    arbitrary: from('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16).map((key) => `AKIA${key}`),
  },
  'AWS secret key': { arbitrary: drawn(40), around: (key) => `aws_secret_access_key = ${key}` },
  'GitHub token': { arbitrary: prefixed('ghp_', 36) },
  'fine-grained GitHub token': {
    arbitrary: fc.tuple(drawn(22), drawn(59)).map(([id, key]) => `github_pat_${id}_${key}`),
  },
  'GitLab token': { arbitrary: prefixed('glpat-', 20) },
  'Anthropic key': { arbitrary: prefixed('sk-ant-api03-', 95) },
  'OpenAI key': { arbitrary: prefixed('sk-proj-', 48) },
  'Groq key': { arbitrary: prefixed('gsk_', 52) },
  'Hugging Face token': { arbitrary: prefixed('hf_', 34, letters) },
  'Google API key': { arbitrary: prefixed('AIza', 35) },
  'Slack token': { arbitrary: drawn(24).map((key) => `xoxb-123456789012-1234567890123-${key}`) },
  'npm token': { arbitrary: prefixed('npm_', 36) },
  'SendGrid key': {
    arbitrary: fc.tuple(drawn(22), drawn(43)).map(([id, key]) => `SG.${id}.${key}`),
  },
  'Stripe key': { arbitrary: prefixed('sk_live_', 24) },
  'Shopify token': { arbitrary: prefixed('shpat_', 32, hex) },
  'Databricks token': { arbitrary: from(hex, 32).map((key) => `dapi${key}`) },
  'JSON web token': {
    arbitrary: fc
      .tuple(drawn(20), drawn(40), drawn(43))
      .map(([head, body, signature]) => `eyJ${head}.eyJ${body}.${signature}`),
  },
  'private key': {
    arbitrary: drawn(64),
    around: (key) =>
      `-----BEGIN RSA PRIVATE KEY-----\n${key}\n${key}\n-----END RSA PRIVATE KEY-----`,
  },
  'OpenSSH key': {
    arbitrary: drawn(70),
    around: (key) =>
      `-----BEGIN OPENSSH PRIVATE KEY-----\n${key}\n-----END OPENSSH PRIVATE KEY-----`,
  },
  'password of a database': {
    arbitrary: drawn(14),
    around: (value) => `postgres://shop:${value}@db.internal:5432/shop`,
  },
  'password in an address': {
    arbitrary: drawn(14),
    around: (value) => `https://deploy:${value}@git.example/acme`,
  },
  'token in an address': {
    arbitrary: drawn(30),
    around: (value) => `https://${value}@git.example/acme`,
  },
  'bearer token': { arbitrary: drawn(32), around: (value) => `Authorization: Bearer ${value}` },
  'password in JSON': { arbitrary: password, around: (value) => `{"password": "${value}"}` },
  'secret in an environment': {
    arbitrary: password,
    around: (value) => `export CLIENT_SECRET=${value}`,
  },
  'secret with a long name': {
    arbitrary: password,
    around: (value) =>
      `MY_COMPANY_PRODUCTION_EU_WEST_DATABASE_REPLICA_PASSWORD_OF_THE_SHOP=${value}`,
  },
  'API key in YAML': { arbitrary: drawn(24), around: (value) => `api_key: ${value}` },
  'token in an environment': { arbitrary: drawn(24), around: (value) => `DEPLOY_TOKEN=${value}` },
  'password in YAML': {
    arbitrary: drawn(9, letters).map((word) => word.replace(/\d/g, 'x')),
    around: (value) => `db_password: ${value}`,
  },
  'basic authorization': {
    arbitrary: drawn(12),
    around: (value) => `"authorization": "Basic ${value}"`,
  },
  cookie: { arbitrary: drawn(20), around: (value) => `Cookie: sid=${value}; theme=dark` },
  'storage key': {
    arbitrary: drawn(40),
    around: (value) => `AccountName=shop;AccountKey=${value}==`,
  },
  'bot token': { arbitrary: drawn(33).map((token) => `123456789:AA${token}`) },
  'e-mail address': {
    arbitrary: fc.emailAddress({ size: 'small' }).filter((address) => /^[\w.+-]+@/.test(address)),
  },
  'home on Linux': {
    arbitrary: drawn(8, letters).map((user) => `/home/${user}`),
    around: (home) => `${home}/code/shop/a.ts`,
  },
  'home on macOS': {
    arbitrary: drawn(8, letters).map((user) => `/Users/${user}`),
    around: (home) => `file://${home}/shop`,
  },
  'home on Windows': {
    arbitrary: drawn(8, letters).map((user) => `C:\\Users\\${user}`),
    around: (home) => `${home}\\shop\\a.ts`,
  },
  'home elsewhere': { arbitrary: fc.constant('/srv/people/ada'), around: (home) => `${home}/shop` },
};

/** The parts of summaries: words, numbers, paths, calls, addresses without users. */
const piece = fc.oneof(
  { weight: 6, arbitrary: from(letters.slice(0, 26), 5) },
  fc.integer({ min: 0, max: 2_000_000 }).map(String),
  fc.constantFrom(
    '## Goal',
    '- [x] Done:',
    'src/checkout/cart.ts:42',
    '`npm run test -- --run`',
    'https://git.example/acme/shop/pull/7?tab=files#r1',
    'http://127.0.0.1:7717/v1/usage',
    'const total = sum(rows);',
    '"tokens": 9600',
    'the token count',
    'no password needed',
    'passwords are hashed',
    '3f786850e387550fdab836ed7e6dc881de23001b',
    '01a1fff3-f500-7217-95c2-a1e195f7b3f4',
    '@acme/shop@1.2.3',
    '~/notes.md',
    '日本語',
    '😀',
    '{ "a": [1, 2] }',
    'ENOENT: no such file',
    '12:30 UTC',
  ),
);
export const harmlessText: Arbitrary<string> = fc
  .array(fc.tuple(piece, fc.constantFrom(' ', '\n', ', ', ' - ')), { maxLength: 40 })
  .map((parts) => parts.map(([text, gap]) => text + gap).join(''));
