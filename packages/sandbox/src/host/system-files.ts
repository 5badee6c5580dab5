import { lstat, readlink } from 'node:fs/promises'

/** Programs and their libraries; on some systems these are links into `/usr`. */
const programs = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/gnu/store',
]

/** Settings that programs need: host names, certificates, user names, time zones and libraries. */
const settings = [
  ...['resolv.conf', 'hosts', 'host.conf', 'nsswitch.conf', 'gai.conf', 'services', 'protocols'],
  ...['ssl', 'pki', 'ca-certificates', 'crypto-policies'],
  ...['passwd', 'group', 'localtime', 'timezone', 'locale.alias', 'os-release', 'mime.types'],
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'fonts'],
].map((name) => `/etc/${name}`)

/** Folders of system programs and settings; they contain no user files. */
export const systemFolders: readonly string[] = [...programs, ...settings]

/** Read-only mounts of the system files that programs need to run. */
export async function systemFiles(): Promise<string[]> {
  const mounts = await Promise.all(
    programs.map(async (path) => {
      const stats = await lstat(path).catch(() => undefined)
      if (stats === undefined) return []
      return stats.isSymbolicLink()
        ? ['--symlink', await readlink(path), path]
        : ['--ro-bind', path, path]
    }),
  )
  return [...mounts.flat(), ...settings.flatMap((path) => ['--ro-bind-try', path, path])]
}
