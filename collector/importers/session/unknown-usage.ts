/** Finds usage in unknown places, so that it can be reported; its meaning is unknown. */
import { asObject, type JsonObject } from '@pi-ledger/extension/record/fields';

/** As written in a line, even a damaged one. */
export const nameOfUsage = '"usage"';

const depthMax = 12;
const membersMax = 10_000;

/**
 * The JSON path of the first object named `usage` with a number for `input`, `output` or `cost`;
 * null when there is none. Skips a model's words (`content`) and tools' details (`details`, whose
 * known figures are claims).
 */
export function unknownUsageIn(body: JsonObject): string | null {
  const budget = { members: membersMax };
  const message = asObject(body.message);
  return (
    find(body, notLookedAt.ofEntry, '', 0, budget) ??
    (message && find(message, notLookedAt.ofMessage, '/message', 0, budget))
  );
}

const nothing: readonly string[] = [];
const notLookedAt = { ofEntry: ['message'], ofMessage: ['content', 'details'] };

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
  const { input, output, cost } = usage;
  return isNumber(input) || isNumber(output) || isNumber(cost) || isNumber(asObject(cost)?.total);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}
