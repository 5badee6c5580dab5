import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import type { Sandbox } from '#servers/config/sandbox'
import type { Bubblewrap } from '../host/find-bubblewrap.ts'
import type { Confined, SandboxHost } from '../host/host.ts'
import { socketFilter } from '../host/socket-filter.ts'
import { systemFiles, systemFolders } from '../host/system-files.ts'
import type { SandboxedServer } from '../port/sandbox.ts'
import { entriesWithout, findHidden, type HiddenPath } from '../program/hidden-paths.ts'
import { isWithin } from '../program/is-within.ts'
import { programFiles } from '../program/program-files.ts'
import { type VisiblePath, visiblePaths } from '../program/visible-paths.ts'

/** Size of each of `/tmp` and the home folder, which are in memory. */
const maxBytes = 1024 ** 3

/** Size of shared memory, which browsers use, for example. */
const maxSharedBytes = 256 * 1024 ** 2

/** In `/proc`; root can write there from any namespace. */
const ofRoot = ['sys', 'sysrq-trigger', 'irq', 'bus', 'acpi', 'mtrr', 'scsi']

/** Confines by Linux namespaces. @throws {Error} why the server cannot be started this way */
export async function confineByBubblewrap(
  server: SandboxedServer,
  host: SandboxHost,
): Promise<Confined> {
  const { sandbox } = server
  const bwrap = await host.findBubblewrap()
  const filter = socketFilter(sandbox.network)
  const { command, files } = await programFiles(server)
  const visible = await visiblePaths(server, files)
  const hidden = (await findHidden(sandbox.hidden ?? [])).filter(({ path }) =>
    isVisible(path, visible, sandbox.readsAll),
  )
  const options = [
    ...namespaces(sandbox.network, bwrap),
    ...['--seccomp', '4', '--clearenv'],
    ...variables(server),
    ...(await filesOf(server, visible, hidden, bwrap)),
    ...['--chdir', server.cwd === undefined ? ownFolder(sandbox) : resolve(server.cwd)],
  ]
  // Options are separated by it, and a value must not become an option.
  if (options.some((option) => option.includes('\0')))
    throw new Error('a variable or a path contains the character U+0000')
  return {
    launch: {
      command: bwrap.path,
      // Values of variables are not passed as arguments, which every user of the machine can read.
      args: ['--args', '3', '--', command, ...server.args],
      // The server's environment, such as LD_PRELOAD, must not apply to bubblewrap itself.
      env: {},
      inputs: [Buffer.from(options.map((option) => `${option}\0`).join('')), filter],
      isConfined: true,
    },
    report: {
      by: 'bubblewrap',
      ...(!bwrap.refusesNamespaces && { lacks: noRefusal }),
      network: sandbox.network,
      readsAll: sandbox.readsAll,
      reads: ['/usr', ...pathsThat(visible, false).filter((path) => !isOfSystem(path))],
      writes: pathsThat(visible, true),
      hides: hidden.map(({ path }) => path),
      variables: Object.keys(sandbox.env),
    },
  }
}

/** Shown to users. */
const noRefusal =
  'the server can create its own namespaces, in which it is root: install bubblewrap 0.8 or newer, which prevents this (--disable-userns)'

const namespaces = (network: boolean, { refusesNamespaces }: Bubblewrap): string[] => [
  '--unshare-all',
  // In its own user namespace a server would be root and could attack more of the kernel.
  ...(refusesNamespaces ? ['--unshare-user', '--disable-userns'] : []),
  ...(network ? ['--share-net'] : []),
  ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
]

function variables({ env, sandbox }: SandboxedServer): string[] {
  const all = { HOME: home(), ...sandbox.env, ...env }
  return Object.entries(all).flatMap(([name, value]) => ['--setenv', name, value])
}

/** In order: later mounts cover earlier ones. */
async function filesOf(
  { sandbox: { readsAll } }: SandboxedServer,
  visible: readonly VisiblePath[],
  hidden: readonly HiddenPath[],
  { knowsSize }: Bubblewrap,
): Promise<string[]> {
  const size = knowsSize ? ['--size', String(maxBytes)] : []
  const empty = (path: string): string[] => [...size, '--tmpfs', path]
  return [
    ...(readsAll ? ['--ro-bind', '/', '/', ...empty('/run')] : await systemFiles()),
    ...empty('/tmp'),
    ...(readsAll || isWithin('/tmp', home()) ? [] : empty(home())),
    ...mounts(visible, readsAll, await covers(hidden)),
    ...['--proc', '/proc', '--dev', '/dev'],
    // Also an unbounded folder in memory; devices stay writable.
    ...(knowsSize ? ['--size', String(maxSharedBytes)] : []),
    ...['--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...(process.getuid?.() === 0
      ? ofRoot.flatMap((name) => ['--ro-bind-try', `/proc/${name}`, `/proc/${name}`])
      : []),
    // The rest is an unbounded folder in memory.
    ...['--remount-ro', '/'],
  ]
}

interface Mount {
  at: string
  how: string[]
}

/** An empty folder in front of each with hidden paths, and in it what else that has now. */
const covers = (hidden: readonly HiddenPath[]): Promise<Mount[]> =>
  Promise.all(
    [...new Set(hidden.map(({ folder }) => folder))].map(async (at) => {
      if (at === '/') throw new Error('what belongs to the aggregator is in /: move it to a folder')
      const entries = await entriesWithout(at, hidden)
      const binds = entries.flatMap(({ path, target }) =>
        target === undefined ? ['--ro-bind-try', path, path] : ['--symlink', target, path],
      )
      return { at, how: ['--tmpfs', at, ...binds, '--remount-ro', at] }
    }),
  )

const isVisible = (path: string, visible: readonly VisiblePath[], readsAll: boolean): boolean =>
  (readsAll && !isWithin(path, '/tmp') && !isWithin(path, '/run')) ||
  visible.some(({ real }) => isWithin(path, real))

/**
 * Mounts each file at its real path, with a symbolic link at its given path unless one is mounted
 * already.
 */
function mounts(
  visible: readonly VisiblePath[],
  readsAll: boolean,
  covers: readonly Mount[],
): string[] {
  const isShown = (path: string): boolean => isVisible(path, [], readsAll) || isOfSystem(path)
  const places = visible.flatMap(({ path, real, isWritable }) => {
    const isLed = visible.some((parent) => parent.path !== path && isWithin(path, parent.path))
    return [
      ...(isShown(real) && !isWritable
        ? []
        : [{ at: real, how: [isWritable ? '--bind' : '--ro-bind', real, real] }]),
      ...(path === real || isLed || isShown(path)
        ? []
        : [{ at: path, how: ['--symlink', real, path] }]),
    ]
  })
  return [...places, ...covers]
    .toSorted((a, b) => a.at.split('/').length - b.at.split('/').length)
    .flatMap(({ how }) => how)
}

const isOfSystem = (path: string): boolean => systemFolders.some((folder) => isWithin(path, folder))

const pathsThat = (visible: readonly VisiblePath[], isWritable: boolean): string[] =>
  visible.filter((entry) => entry.isWritable === isWritable).map(({ path }) => path)

/** The working directory if none is configured. */
const ownFolder = ({ readsAll }: Sandbox): string => (readsAll ? '/tmp' : home())

/**
 * An empty folder at its usual path, so that listed files in it are found where programs expect
 * them.
 */
const home = (): string => {
  const path = homedir()
  return isAbsolute(path) && path !== '/' ? path : '/tmp'
}
