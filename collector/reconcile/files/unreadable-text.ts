/** Why a session file cannot be read, in words, not in those of Node. */
export function unreadableText(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return `cannot be read: ${reasons[code] ?? message}`;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder, not a file',
  ELOOP: 'it is a link that leads to itself',
  EMFILE: 'too many files are open',
  ENOENT: 'it was deleted, or is a link that leads nowhere',
  EPERM: 'permission denied',
};
