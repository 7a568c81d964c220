/** What a report can be grouped by. */
export const groupings = [
  'project',
  'branch',
  'model',
  'provider',
  'user',
  'machine',
  'host',
  'session',
  'tree',
  'kind',
  'day',
  'week',
  'month',
] as const;
export type Grouping = (typeof groupings)[number];
