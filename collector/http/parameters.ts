/**
 * Query parameters that several routes share, as TypeBox schemas: checked against, and shown in the
 * OpenAPI document.
 */
import { Type } from 'typebox';

const AnyOf = (what: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: 500 }), {
      minItems: 1,
      maxItems: 100,
      description: `Only ${what} of this name; repeated: any of them; empty: where it is unknown.`,
    }),
  );

export const filterParameters = {
  project: AnyOf('the project'),
  branch: AnyOf('the branch'),
  user: AnyOf('the user'),
  machine: AnyOf('the machine'),
  host: AnyOf('the host (pi, omp)'),
  provider: AnyOf('the provider'),
  model: AnyOf('the model'),
  kind: AnyOf('the kind of spend (turn, tool, compaction, ...)'),
};

export const periodParameters = {
  since: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'A day where the spender was (`2026-11-22`), or an instant (`2026-11-22T14:00:00Z`, rounded down to the hour).',
    }),
  ),
  until: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'A day, inclusive, or an instant, rounded down to the hour, exclusive.',
    }),
  ),
};

export const timezoneParameter = {
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "Days, weeks and months of everybody, `since` and `until` included, in this time zone (IANA's name: `Europe/Berlin`).",
    }),
  ),
};

export const limitDefault = 100;
export const limitMax = 1_000;

export const pageParameters = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limitMax, default: limitDefault })),
  cursor: Type.Optional(
    Type.String({ maxLength: 4_000, description: '`next` of the page before.' }),
  ),
};

const formats = ['json', 'csv', 'ndjson'] as const;
export type Format = (typeof formats)[number];

export const formatParameter = {
  format: Type.Optional(
    Type.Enum([...formats], { description: 'Stronger than the Accept header.' }),
  ),
};
