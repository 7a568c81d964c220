/** A program of ours as a user starts it, from any folder. Pure. */
export function nodeCommand(program: string, home: string): string {
  if (process.platform === 'win32') return `node ${/\s/.test(program) ? `"${program}"` : program}`;
  // A shell replaces `~` outside of quotes alone.
  const isBelow = program.startsWith(`${home}/`) && isPlain(program);
  if (isBelow) return `node ~${program.slice(home.length)}`;
  return `node ${isPlain(program) ? program : `'${program.replaceAll("'", "'\\''")}'`}`;
}

/** Whether a shell takes it for one word as it is. */
function isPlain(path: string): boolean {
  return /^[\w@%+=:,./-]+$/.test(path);
}
