/** What rows of usage can be split by, beside day and billing. Without a library, as groupings. */
export const rowDimensions = [
  'hour',
  'session',
  'project',
  'branch',
  'user',
  'machine',
  'host',
  'provider',
  'model',
  'kind',
  'agentKind',
  'agent',
  'thinking',
  'costSource',
  'stopReason',
  'labels',
  'head',
] as const;
export type RowDimension = (typeof rowDimensions)[number];
