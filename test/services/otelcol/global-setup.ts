/**
 * Finds the programs of the lane `otel`, or builds them, once for all its test files; each test
 * starts servers of its own, in a fraction of a second. Tests find them by `otelPrograms`.
 */
import type { TestProject } from 'vitest/node';
import { findPrometheus } from '../prometheus/programs.ts';
import { findOtelcol } from './program.ts';

declare module 'vitest' {
  interface ProvidedContext {
    otelPrograms: OtelPrograms | null;
  }
}

/** Paths. */
export interface OtelPrograms {
  readonly otelcol: string;
  readonly prometheus: string;
  readonly promtool: string;
}

export default async function findOtelPrograms(project: TestProject): Promise<void> {
  try {
    const otelcol = await findOtelcol(process.env);
    const { name, prometheus, promtool } = await findPrometheus(process.env);
    project.provide('otelPrograms', { otelcol: otelcol.path, prometheus, promtool });
    project.provide('laneServer', `${otelcol.name} and ${name}`);
  } catch (error) {
    project.provide('otelPrograms', null);
    project.provide('laneServer', `no server: ${(error as Error).message}`);
  }
}
