/**
 * Tools of development that the unit tests and the product run without: each group is installed
 * when it is first used. The folders beside this file say what is in a group, and in which version.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lockedPackages } from './locked-packages.ts';

export const toolGroups = ['check', 'openapi', 'containers', 'mutation'] as const;
export type ToolGroup = (typeof toolGroups)[number];

export function toolsOf(group: ToolGroup) {
  return lockedPackages(`tools-${group}`, join(import.meta.dirname, group));
}

/** The file behind a command of a package, for this Node to run. */
export async function toolProgram(group: ToolGroup, name: string, command: string) {
  const tools = toolsOf(group);
  await tools.install();
  const folder = tools.folderOf(name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly bin: string | Readonly<Record<string, string>>;
  };
  const file = typeof bin === 'string' ? bin : bin[command];
  if (file === undefined) throw new Error(`${name} has no command ${command}`);
  return join(folder, file);
}

/** What a package exports. Its types are not there: who calls says what it uses. */
export async function importTool<Exports>(group: ToolGroup, name: string): Promise<Exports> {
  const tools = toolsOf(group);
  await tools.install();
  const path = createRequire(tools.folderOf(name)).resolve(name);
  return (await import(pathToFileURL(path).href)) as Exports;
}
