import { lstat, readlink } from 'node:fs/promises'

/** Programs and what they are linked with; on some systems links into `/usr`. */
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

/** How programs find hosts, certificates, users' names, times, libraries and each other. */
const settings = [
  ...['resolv.conf', 'hosts', 'host.conf', 'nsswitch.conf', 'gai.conf', 'services', 'protocols'],
  ...['ssl', 'pki', 'ca-certificates', 'crypto-policies'],
  ...['passwd', 'group', 'localtime', 'timezone', 'locale.alias', 'os-release', 'mime.types'],
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'fonts'],
].map((name) => `/etc/${name}`)

/** Where programs and settings of the system stand; nobody's own files are there. */
export const systemFolders: readonly string[] = [...programs, ...settings]

/** Arguments that show as much of the system as programs need to run, to be read only. */
export async function systemFiles(): Promise<string[]> {
  const shown = await Promise.all(
    programs.map(async (path) => {
      const found = await lstat(path).catch(() => undefined)
      if (found === undefined) return []
      return found.isSymbolicLink()
        ? ['--symlink', await readlink(path), path]
        : ['--ro-bind', path, path]
    }),
  )
  return [...shown.flat(), ...settings.flatMap((path) => ['--ro-bind-try', path, path])]
}
