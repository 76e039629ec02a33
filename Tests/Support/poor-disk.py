#!/usr/bin/python3
"""A folder shown once more as a file system of fewer abilities, for tests.

poor-disk.py FOLDER MOUNTPOINT [LIMIT ...]

  names     takes none of the characters and ends that FAT and exFAT refuse (EINVAL)
  names=E   the same with the error of that name, as ENOENT
  no-links  makes no symbolic links (EPERM)
  no-hard-links (EPERM), no-modes (EPERM), no-attributes (ENOTSUP)
  no-case   a name in another case is the same name
  spellings each spelling of a name has an inode of its own, as with exFAT
  largest=N no file larger than N bytes (EFBIG)
  room=N    no more than N bytes in all (ENOSPC)
  bad=NAME  a file that can't be read (EIO)
  barred=NAME  a folder whose names can't be read (EIO)
  shut=NAME  a folder that can't be opened (EACCES)
  gone=NAME  a name in a folder that nothing bears any more (ENOENT)
  slow=MS   every answer takes so long, while there is no file FOLDER.fast
  fail=OPERATION:ERROR[:N] that operation fails after it has gone N times, all: each one does, until there
            is a file FOLDER.well
  hang=NAME a look at this name is never answered

Prints "ready" once it is mounted, and "hung" for each call that is not answered.
"""
import errno, os, sys, threading, time, zlib
from fusepy import FUSE, FuseOSError, Operations

FORBIDDEN = set('"*/:<>?\\|')


class PoorDisk(Operations):
    def __init__(self, root, limits):
        self.root, self.limits = os.path.realpath(root), limits
        self.calls = 0

    def __call__(self, operation, path, *arguments):
        if 'slow' in self.limits and not os.path.exists(self.root + '.fast'): time.sleep(int(self.limits['slow']) / 1000)
        if self.limits.get('hang') and self.limits['hang'] in path.split('/'):
            print('hung', flush=True)
            threading.Event().wait()
        if 'fail' in self.limits and not os.path.exists(self.root + '.well'):
            which, error, *after = self.limits['fail'].split(':')
            if which in (operation, 'all'):
                self.calls += 1
                if self.calls > int(after[0] if after else 0): self.fail(error)
        try:
            return super().__call__(operation, path, *arguments)
        except OSError as error:
            raise FuseOSError(error.errno)

    def init(self, path): print('ready', flush=True)

    def fail(self, name): raise FuseOSError(getattr(errno, name))

    def real(self, path):
        if 'no-case' not in self.limits: return self.root + path
        found = self.root
        for part in path.strip('/').split('/'):
            names = os.listdir(found) if os.path.isdir(found) else []
            part = next((name for name in names if name.casefold() == part.casefold()), part)
            found = os.path.join(found, part)
        return found

    def check(self, path):
        name = path.rsplit('/', 1)[1]
        if 'names' in self.limits and (FORBIDDEN & set(name) or name[-1:] in ' .'):
            self.fail(self.limits['names'] or 'EINVAL')
        return self.real(path)

    def getattr(self, path, handle=None):
        if self.limits.get('gone') == path.rsplit('/', 1)[1]: self.fail('ENOENT')
        found = os.lstat(self.real(path))
        keys = 'st_mode st_nlink st_uid st_gid st_size st_atime st_mtime st_ctime st_ino'.split()
        status = {key: getattr(found, key) for key in keys}
        if 'spellings' in self.limits: status['st_ino'] = zlib.crc32(path.encode())
        return status

    def access(self, path, mode):
        if not os.access(self.real(path), mode): self.fail('EACCES')

    def opendir(self, path):
        if self.limits.get('shut') == path.rsplit('/', 1)[1]: self.fail('EACCES')
        return 0

    def readdir(self, path, handle):
        if self.limits.get('barred') == path.rsplit('/', 1)[1]: self.fail('EIO')
        return ['.', '..'] + os.listdir(self.real(path))

    def readlink(self, path): return os.readlink(self.real(path))
    def mkdir(self, path, mode): os.mkdir(self.check(path), mode)
    def rmdir(self, path): os.rmdir(self.real(path))
    def unlink(self, path): os.unlink(self.real(path))

    def rename(self, old, new):
        source, target = self.real(old), self.check(new)
        if 'no-case' in self.limits and os.path.lexists(target) and os.path.samefile(source, target):
            target = os.path.join(os.path.dirname(target), os.path.basename(new))
        os.rename(source, target)

    def symlink(self, path, text):
        if 'no-links' in self.limits: self.fail('EPERM')
        os.symlink(text, self.check(path))

    def link(self, path, old):
        if 'no-hard-links' in self.limits: self.fail('EPERM')
        os.link(self.real(old), self.check(path))

    def chmod(self, path, mode):
        if 'no-modes' in self.limits: self.fail('EPERM')
        os.chmod(self.real(path), mode)

    def chown(self, path, user, group):
        if 'no-modes' in self.limits: self.fail('EPERM')
        os.chown(self.real(path), user, group, follow_symlinks=False)

    def getxattr(self, path, name, position=0):
        if 'no-attributes' in self.limits: self.fail('ENOTSUP')
        return os.getxattr(self.real(path), name, follow_symlinks=False)

    def listxattr(self, path):
        return [] if 'no-attributes' in self.limits else os.listxattr(
            self.real(path), follow_symlinks=False)

    def setxattr(self, path, name, value, options, position=0):
        if 'no-attributes' in self.limits: self.fail('ENOTSUP')
        os.setxattr(self.real(path), name, value, options, follow_symlinks=False)

    def utimens(self, path, times=None):
        os.utime(self.real(path), times, follow_symlinks=False)

    def open(self, path, flags): return os.open(self.real(path), flags)
    def create(self, path, mode, info=None):
        return os.open(self.check(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)

    def read(self, path, size, offset, handle):
        if self.limits.get('bad') == path.rsplit('/', 1)[1]: self.fail('EIO')
        return os.pread(handle, size, offset)

    def write(self, path, data, offset, handle):
        if offset + len(data) > int(self.limits.get('largest', 1 << 62)): self.fail('EFBIG')
        if 'room' in self.limits:
            used = sum(
                os.lstat(os.path.join(folder, name)).st_size
                for folder, _, names in os.walk(self.root) for name in names)
            if used + len(data) > int(self.limits['room']): self.fail('ENOSPC')
        return os.pwrite(handle, data, offset)

    def truncate(self, path, length, handle=None): os.truncate(self.real(path), length)
    def flush(self, path, handle): os.fsync(handle)
    def fsync(self, path, data_only, handle): os.fsync(handle)
    def release(self, path, handle): os.close(handle)

    def statfs(self, path):
        found = os.statvfs(self.root)
        keys = 'f_bavail f_bfree f_blocks f_bsize f_favail f_ffree f_files f_frsize f_namemax'
        return {key: getattr(found, key) for key in keys.split()}


if __name__ == '__main__':
    limits = dict(word.split('=', 1) if '=' in word else (word, '') for word in sys.argv[3:])
    FUSE(PoorDisk(sys.argv[1], limits), sys.argv[2], foreground=True, nothreads=False,
         use_ino=True, nonempty=True, fsname='poor-disk')
