/**
 * Tool calls of one session by name. Models invent tool names, so they are bounded: the
 * alphabetically last count as one.
 */
import type { ToolCount } from './document.ts';

const otherTools = '(other)';

/**
 * Which names are kept depends on their set, not on their order: the alphabetically first
 * `namesMax` are never dropped.
 */
export function countTool(
  tools: Map<string, ToolCount>,
  name: string,
  isError: boolean,
  namesMax: number,
): void {
  const tool = openTool(tools, name);
  tool.calls += 1;
  if (isError) tool.errors += 1;
  if (tools.size > namesMax) dropLast(tools, namesMax);
}

/** Takes back a call that now counts in another session. */
export function uncountTool(tools: Map<string, ToolCount>, name: string, isError: boolean): void {
  const tool = tools.get(name) ?? tools.get(otherTools);
  if (tool === undefined) return;
  tool.calls -= 1;
  if (isError) tool.errors -= 1;
  if (tool.calls === 0) tools.delete(tool.name);
}

function openTool(tools: Map<string, ToolCount>, name: string): ToolCount {
  const known = tools.get(name);
  if (known !== undefined) return known;
  const tool = { name, calls: 0, errors: 0 };
  tools.set(name, tool);
  return tool;
}

function dropLast(tools: Map<string, ToolCount>, namesMax: number): void {
  const names = [...tools.keys()].filter((name) => name !== otherTools).sort();
  const last = names.at(-1);
  if (last === undefined || names.length <= namesMax) return;
  const other = openTool(tools, otherTools);
  const dropped = openTool(tools, last);
  other.calls += dropped.calls;
  other.errors += dropped.errors;
  tools.delete(last);
}
