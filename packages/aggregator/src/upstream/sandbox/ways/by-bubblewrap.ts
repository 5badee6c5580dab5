import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import type { Sandbox } from '../../../config/sandbox.ts'
import type { Bubblewrap } from '../machine/find-bubblewrap.ts'
import type { Confined, Machine } from '../machine/machine.ts'
import { socketFilter } from '../machine/socket-filter.ts'
import { systemFiles, systemFolders } from '../machine/system-files.ts'
import type { SandboxedServer } from '../port/sandbox.ts'
import { isWithin } from '../program/is-within.ts'
import { programFiles } from '../program/program-files.ts'
import { type VisiblePath, visiblePaths } from '../program/visible-paths.ts'

/** Of what is kept in memory, each of `/tmp` and the home folder. */
const mostBytes = 1024 ** 3

/** Of memory that programs share, such as browsers do. */
const maxSharedBytes = 256 * 1024 ** 2

/** Of the running system: root may write there in whatever namespace it is. */
const ofRoot = ['sys', 'sysrq-trigger', 'irq', 'bus', 'acpi', 'mtrr', 'scsi']

/** Namespaces of Linux. @throws {Error} why a server cannot be started so */
export async function byBubblewrap(server: SandboxedServer, machine: Machine): Promise<Confined> {
  const { sandbox } = server
  const found = await machine.findBubblewrap()
  const filter = socketFilter(sandbox.network)
  const { command, ofCommand, ofScripts } = await programFiles(server)
  const visible = await visiblePaths(server, [...ofCommand, ...ofScripts])
  const options = [
    ...namespaces(sandbox.network, found),
    ...['--seccomp', '4', '--clearenv'],
    ...variables(server),
    ...(await filesOf(server, visible, found)),
    ...['--chdir', server.cwd === undefined ? ownFolder(sandbox) : resolve(server.cwd)],
  ]
  // They are parted by it, and a value must not become an option.
  if (options.some((option) => option.includes('\0')))
    throw new Error('a variable or a path has a character of code 0 in it')
  return {
    launch: {
      command: found.path,
      // Values of variables are not among the arguments, which everyone on the machine can read.
      args: ['--args', '3', '--', command, ...server.args],
      // Nothing of the server's environment, such as LD_PRELOAD, is for bubblewrap itself.
      env: {},
      inputs: [Buffer.from(options.map((option) => `${option}\0`).join('')), filter],
      isConfined: true,
    },
    report: {
      by: 'bubblewrap',
      ...(!found.refusesNamespaces && { lacks: noRefusal }),
      network: sandbox.network,
      readsAll: sandbox.readsAll,
      reads: ['/usr', ...pathsThat(visible, false).filter((path) => !isOfSystem(path))],
      writes: pathsThat(visible, true),
      variables: Object.keys(sandbox.env),
    },
  }
}

/** For people. */
const noRefusal =
  'it can make namespaces of its own, in which it is root: bubblewrap 0.8 or newer refuses that (--disable-userns)'

const namespaces = (network: boolean, { refusesNamespaces }: Bubblewrap): string[] => [
  '--unshare-all',
  // In one of its own a server would be root, and have far more of the kernel to attack.
  ...(refusesNamespaces ? ['--unshare-user', '--disable-userns'] : []),
  ...(network ? ['--share-net'] : []),
  ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
]

function variables({ env, sandbox }: SandboxedServer): string[] {
  const all = { HOME: home(), ...sandbox.env, ...env }
  return Object.entries(all).flatMap(([name, value]) => ['--setenv', name, value])
}

/** In order: what comes later lies over what came before. */
async function filesOf(
  { sandbox: { readsAll } }: SandboxedServer,
  visible: readonly VisiblePath[],
  { knowsSize }: Bubblewrap,
): Promise<string[]> {
  const size = knowsSize ? ['--size', String(mostBytes)] : []
  const empty = (path: string): string[] => [...size, '--tmpfs', path]
  return [
    ...(readsAll ? ['--ro-bind', '/', '/', ...empty('/run')] : await systemFiles()),
    ...empty('/tmp'),
    ...(readsAll || isWithin('/tmp', home()) ? [] : empty(home())),
    ...mounts(visible, readsAll),
    ...['--proc', '/proc', '--dev', '/dev'],
    // That too is a folder in memory without a bound; devices can be written to all the same.
    ...(knowsSize ? ['--size', String(maxSharedBytes)] : []),
    ...['--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...(process.getuid?.() === 0
      ? ofRoot.flatMap((name) => ['--ro-bind-try', `/proc/${name}`, `/proc/${name}`])
      : []),
    // What is left is a folder in memory without a bound.
    ...['--remount-ro', '/'],
  ]
}

/** Each stands where it really is; where it was named a link leads there, unless one does already. */
function mounts(visible: readonly VisiblePath[], readsAll: boolean): string[] {
  const isShown = (path: string): boolean =>
    (readsAll && !isWithin(path, '/tmp') && !isWithin(path, '/run')) || isOfSystem(path)
  const places = visible.flatMap(({ path, real, isWritable }) => {
    const isLed = visible.some((one) => one.path !== path && isWithin(path, one.path))
    return [
      ...(isShown(real) && !isWritable
        ? []
        : [{ at: real, how: [isWritable ? '--bind' : '--ro-bind', real, real] }]),
      ...(path === real || isLed || isShown(path)
        ? []
        : [{ at: path, how: ['--symlink', real, path] }]),
    ]
  })
  return places
    .toSorted((one, other) => one.at.split('/').length - other.at.split('/').length)
    .flatMap(({ how }) => how)
}

const isOfSystem = (path: string): boolean => systemFolders.some((folder) => isWithin(path, folder))

const pathsThat = (visible: readonly VisiblePath[], isWritable: boolean): string[] =>
  visible.filter((one) => one.isWritable === isWritable).map(({ path }) => path)

/** Where it is when nobody says where. */
const ownFolder = ({ readsAll }: Sandbox): string => (readsAll ? '/tmp' : home())

/** Empty, at its usual place: what is listed in it is found where programs look for it. */
const home = (): string => {
  const path = homedir()
  return isAbsolute(path) && path !== '/' ? path : '/tmp'
}
