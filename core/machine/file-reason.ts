/**
 * Why a file cannot be used, in words: a code of the system says nothing to a user, and a message
 * of Node names a system call. Undefined for an error that is not the system's.
 */
export function fileReason(error: unknown): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? undefined : reasons[code];
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'another program uses it',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder, not a file',
  ELOOP: 'it is a link that leads to itself',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  NOT_A_REGULAR_FILE: 'it is a pipe or a device, not a file',
  ENOTDIR: 'a part of this path is a file, not a folder',
  ENXIO: 'it is a socket or a device, not a file',
  EPERM: 'permission denied',
  EROFS: 'it is on a disk that can only be read',
  TOO_LARGE: 'it is larger than such a file may be',
};
