import { expect, it } from 'vitest';
import { auditOutcome } from './audit-outcome.ts';

it('an audit fails for what is known, and for nothing else', () => {
  const found = { vulnerabilities: { pino: { severity: 'high', via: [] } } };
  expect(auditOutcome(JSON.stringify(found))).toEqual({
    ...{ code: 1, says: 'known vulnerabilities in pino (high).' },
  });
  expect(auditOutcome('{"auditReportVersion":2,"vulnerabilities":{}}')).toEqual({
    ...{ code: 0, says: 'no known vulnerabilities.' },
  });
});

it.each(['{"statusCode":405,"message":"405 Method Not Allowed"}', '', 'no JSON'])(
  'an audit says that it was not done where the registry has none: %s',
  (printed) => {
    expect(auditOutcome(printed)).toMatchObject({
      code: 0,
      says: expect.stringMatching('NOT DONE'),
    });
  },
);
