/** Query parameters shared by several routes, as TypeBox schemas for checking and OpenAPI. */
import { Type } from 'typebox';

export const AnyOf = (what: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: 500 }), {
      minItems: 1,
      maxItems: 100,
      description: `Only ${what} with this name; repeated: any of them; empty: unknown.`,
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

export const labelParameter = {
  label: Type.Optional(
    Type.Array(Type.String({ maxLength: 300 }), {
      minItems: 1,
      maxItems: 100,
      description:
        'Only records with this label (`ticket=ABC-12`), or sessions that have some; `ticket=`: ' +
        'without it. Repeated: any value of one key, and each of several keys.',
    }),
  ),
};

export const periodParameters = {
  since: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        "A day in the spender's zone (`2026-11-22`), or an instant (`2026-11-22T14:00:00Z`), " +
        'rounded down to the hour.',
    }),
  ),
  until: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'A day (inclusive), or an instant (exclusive), rounded down to the hour.',
    }),
  ),
};

export const timezoneParameter = {
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        "Count everybody's days, weeks and months in this time zone (an IANA name: " +
        '`Europe/Berlin`), those of `since` and `until`, too.',
    }),
  ),
};

export const limitDefault = 100;
export const limitMax = 1_000;

export const pageParameters = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limitMax, default: limitDefault })),
  cursor: Type.Optional(
    Type.String({ maxLength: 12_000, description: 'The `next` of the previous page.' }),
  ),
};

const formats = ['json', 'csv', 'ndjson'] as const;
export type Format = (typeof formats)[number];

export const formatParameter = {
  format: Type.Optional(Type.Enum([...formats], { description: 'Overrides the Accept header.' })),
};
