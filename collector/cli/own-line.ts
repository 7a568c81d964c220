import type { Terminal } from './command.ts';

/**
 * How the user types another command: through npx if this one was run that way (npm then sets
 * `exec`), or else by name. It never names a package of somebody else.
 */
export function ownLine(terminal: Pick<Terminal, 'env'>, words: string): string {
  return `${ownName(terminal)} ${words}`;
}

/** A hint of ours, its commands as the user types them. */
export function asCalled(terminal: Pick<Terminal, 'env'>, hint: string): string {
  const name = ownName(terminal);
  return hint.replace(/(?<![\w./@-])pi-ledger (?=[a-z])/g, `${name} `);
}

function ownName({ env }: Pick<Terminal, 'env'>): string {
  return env.npm_command === 'exec' ? 'npx @pi-ledger/collector' : 'pi-ledger';
}
