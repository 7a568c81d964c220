/**
 * The same command as a child that ends with the process that starts it, kill -9 included, where
 * the system can do that.
 */
export function ownedCommand(command: readonly string[]): readonly string[] {
  return process.platform === 'linux' ? ['setpriv', '--pdeathsig=TERM', ...command] : command;
}
