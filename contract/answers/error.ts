import { Type } from 'typebox';
import type { AnswerOf } from './fields.ts';

/** Error codes for programs. Meaning and HTTP status of each are in collector/errors.ts. */
export const errorCodes = [
  'not_json',
  'not_a_batch',
  'bad_gzip',
  'body_too_large',
  'too_many_events',
  'unsupported_content_type',
  'unsupported_content_encoding',
  'bad_request',
  'headers_too_large',
  'request_too_slow',
  'bad_parameter',
  'not_found',
  'host_not_allowed',
  'header_repeated',
  'origin_not_allowed',
  'token_missing',
  'token_unknown',
  'token_expired',
  'token_revoked',
  'scope_missing',
  'too_many_requests',
  'too_many_tokens',
  'store_unavailable',
  'broker_unavailable',
  'standing_by',
  'answers_too_long',
  'internal',
  'config_invalid',
  'sealed_by_another_version',
  'seal_interrupted',
  'sealing_already',
  'store_missing',
  'store_gone',
  'store_linked',
  'store_locked',
  'cells_differ',
  'store_too_new',
  'store_outdated',
  'store_unreachable',
  'store_damaged',
  'store_invalid',
  'tokens_needed',
  'collector_unproven',
  'address_in_use',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** Every error answer, on any route. */
export const ErrorAnswer = Type.Object(
  {
    code: Type.Enum([...errorCodes]),
    message: Type.String({ description: 'For people; it may change.' }),
    field: Type.Optional(
      Type.String({ description: 'The invalid parameter or JSON pointer, if there is one.' }),
    ),
  },
  {
    title: 'Error',
    examples: [
      { code: 'bad_parameter', message: 'since: there is no day 2026-02-30.', field: 'since' },
    ],
  },
);
export type ErrorAnswer = AnswerOf<typeof ErrorAnswer>;
