export const time = '2026-03-01T09:00:00.000Z';

export const rawUsage = { input: 5 };

export const spend = {
  provider: 'p',
  model: 'm',
  inputTokens: 1,
  outputTokens: 2,
  cacheReadTokens: 3,
  cacheWriteTokens: 4,
  reasoningTokens: 5,
  cacheWrite1hTokens: 6,
  reported: true,
  costNanoUsd: 7,
  costSource: 'provider',
  responseId: 'r1',
  rawUsage,
};

export const event = (type: string, data: object) => ({
  id: 'id',
  source: '/producers/one',
  type,
  subject: 's',
  time,
  data,
});
