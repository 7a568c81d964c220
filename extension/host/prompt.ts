/**
 * What a host sends before the first message: the system prompt and the tools. Only sizes and names
 * are read.
 *
 * Contract of all functions here: they never throw; missing values are null.
 */

import { asObject, asString, type JsonObject } from '../../core/record/fields.ts';
import { jsonChars } from '../../core/record/sizes.ts';
import { called } from './host-call.ts';

/** The current system prompt: a text (pi) or its parts (omp). Null if unavailable. */
export function readSystemPromptChars(ctx: unknown): number | null {
  const prompt = called(asObject(ctx), 'getSystemPrompt');
  if (typeof prompt === 'string') return prompt.length;
  return Array.isArray(prompt)
    ? prompt.reduce<number>((chars, part) => chars + (asString(part)?.length ?? 0), 0)
    : null;
}

/** The tools that the model is offered. */
export interface HostTools {
  /** Returns null until the host can list them. */
  activeNames(): readonly string[] | null;
  /**
   * Characters of the definitions of these tools. Null when too expensive to determine: omp's
   * parameters are not plain data.
   */
  definitionChars(names: readonly string[]): number | null;
}

export function readTools(pi: unknown): HostTools {
  const api = asObject(pi);
  return {
    activeNames() {
      const names = called(api, 'getActiveTools');
      return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : null;
    },
    definitionChars(names) {
      const tools = api?.pi === undefined ? called(api, 'getAllTools') : null;
      if (!Array.isArray(tools)) return null;
      const active = new Set(names);
      const definitions = tools
        .flatMap((tool) => readDefinition(asObject(tool)) ?? [])
        .filter(({ name }) => active.has(name));
      return jsonChars(definitions);
    },
  };
}

/** The parts of a tool that are sent to the model. */
function readDefinition(tool: JsonObject | null) {
  const name = asString(tool?.name);
  return name === null
    ? null
    : { name, description: tool?.description, parameters: tool?.parameters };
}
