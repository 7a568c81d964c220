/**
 * Stryker's reporter that writes the result of each file as soon as all its mutants are tried:
 * `.mutation/results/<file>.json`, in Stryker's own format without the tests.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { resultFileOf } from '../results.ts';

interface MutantResult {
  readonly id: string;
  readonly fileName: string;
  readonly status: string;
  readonly replacement?: string;
  readonly mutatorName: string;
  readonly location: unknown;
}

export class FileResults {
  readonly #root = process.cwd();
  readonly #left = new Map<string, number>();
  readonly #tried = new Map<string, MutantResult[]>();
  readonly #sources = new Map<string, string>();

  onMutationTestingPlanReady({
    mutantPlans,
  }: {
    readonly mutantPlans: readonly { readonly mutant: { readonly fileName: string } }[];
  }): void {
    for (const { mutant } of mutantPlans) {
      const { fileName } = mutant;
      this.#left.set(fileName, (this.#left.get(fileName) ?? 0) + 1);
      if (!this.#sources.has(fileName)) this.#sources.set(fileName, readFileSync(fileName, 'utf8'));
    }
  }

  onMutantTested(result: MutantResult): void {
    const { fileName } = result;
    const tried = this.#tried.get(fileName) ?? [];
    tried.push(result);
    this.#tried.set(fileName, tried);
    if (tried.length === this.#left.get(fileName)) this.#write(fileName, tried);
  }

  #write(fileName: string, tried: readonly MutantResult[]): void {
    const file = relative(this.#root, fileName);
    const path = resultFileOf(this.#root, file);
    const source = this.#sources.get(fileName) ?? '';
    const mutants = tried.map(({ id, status, replacement, mutatorName, location }) => ({
      id,
      status,
      replacement,
      mutatorName,
      location,
    }));
    mkdirSync(dirname(path), { recursive: true });
    const triedNow = new Set(mutants.map(keyOf));
    const others = mutantsIn(path, file).filter((mutant) => !triedNow.has(keyOf(mutant)));
    const body = { files: { [file]: { source, mutants: [...others, ...mutants] } } };
    writeFileSync(`${path}.new`, JSON.stringify(body));
    renameSync(`${path}.new`, path);
  }
}

interface Kept {
  readonly mutatorName: string;
  readonly location: unknown;
  readonly replacement?: string | undefined;
}

/** Of an earlier run, of which this one tries only some again. */
function mutantsIn(path: string, file: string): readonly Kept[] {
  if (!existsSync(path)) return [];
  const { files } = JSON.parse(readFileSync(path, 'utf8')) as {
    files: Record<string, { mutants: Kept[] }>;
  };
  return files[file]?.mutants ?? [];
}

function keyOf({ mutatorName, location, replacement }: Kept): string {
  return JSON.stringify([mutatorName, location, replacement]);
}
