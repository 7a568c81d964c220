/** What may follow `/ledger `, as the hosts' editors ask for it. Pure. */
import type { Completion, Name } from './command.ts';
import { isName, names } from './names.ts';

/** Returns null if nothing fits. `labelKeys` are those of the session in which it is typed. */
export function completionsOf(
  typed: string,
  labelKeys: readonly string[],
): readonly Completion[] | null {
  const text = typed.trimStart();
  const found = [...subcommands(), ...labels(labelKeys)].filter(
    ({ value }) => value.startsWith(text) && value !== text && isNext(value, text),
  );
  return found.length === 0 ? null : found;
}

function subcommands(): readonly Completion[] {
  return Object.entries(names).map(([name, { description, takesWords }]) => ({
    value: takesWords === true ? `${name} ` : name,
    label: name,
    description,
  }));
}

/** The key again, for another value; without a value it is taken away. */
function labels(keys: readonly string[]): readonly Completion[] {
  return keys.map((key) => ({ value: `${label} ${key}=`, label: `${key}=` }));
}

const label: Name = 'label';

/** Words after a subcommand are shown once the subcommand is there. */
function isNext(value: string, text: string): boolean {
  return isName(value.trim()) || text.startsWith(`${label} `);
}
