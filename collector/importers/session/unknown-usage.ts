/** Finds usage in unknown places, so that it can be reported; its meaning is unknown. */
import { asObject, type JsonObject } from '@pi-ledger/core/record/fields';

/** As written in a line, even a damaged one. */
export const nameOfUsage = '"usage"';

const depthMax = 12;
const membersMax = 10_000;

/**
 * The JSON path of the first object named `usage` with figures; null when there is none. Skips a
 * model's words (`content`), and what claims repeat in a tool's details (`results`).
 */
export function unknownUsageIn(body: JsonObject): string | null {
  const budget = { members: membersMax };
  const message = asObject(body.message);
  const details = asObject(message?.details);
  return (
    find(body, notLookedAt.ofEntry, '', 0, budget) ??
    (message && find(message, notLookedAt.ofMessage, '/message', 0, budget)) ??
    (details &&
      find(
        details,
        message?.toolName === 'task' ? notLookedAt.ofTask : notLookedAt.ofDetails,
        '/message/details',
        0,
        budget,
      ))
  );
}

const nothing: readonly string[] = [];
const notLookedAt = {
  ofEntry: ['message'],
  ofMessage: ['content', 'details'],
  ofDetails: ['results'],
  /** Beside the results, omp's task tool writes their sum. */
  ofTask: ['results', 'usage'],
};

function find(
  value: object,
  except: readonly string[],
  path: string,
  depth: number,
  budget: { members: number },
): string | null {
  if (depth > depthMax) return null;
  for (const key of Object.keys(value)) {
    budget.members -= 1;
    if (budget.members < 0) return null;
    const member = (value as JsonObject)[key];
    if (typeof member !== 'object' || member === null || except.includes(key)) continue;
    if (key === 'usage' && isFigures(asObject(member))) return `${path}/${key}`;
    const found = find(member, nothing, `${path}/${key}`, depth + 1, budget);
    if (found !== null) return found;
  }
  return null;
}

function isFigures(usage: JsonObject | null): boolean {
  if (usage === null) return false;
  return isNumber(asObject(usage.cost)?.total) || figureNames.some((name) => isNumber(usage[name]));
}

/** As hosts and providers call them. */
const figureNames = [
  'input',
  'output',
  'cost',
  'inputTokens',
  'outputTokens',
  'input_tokens',
  'output_tokens',
  'promptTokenCount',
  'candidatesTokenCount',
] as const;

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}
