import { realpathSync } from 'node:fs'
import type { Table } from '../../files/table.ts'

/** How a client starts a server. */
export interface Launch {
  command: string
  args: readonly string[]
}

/** How the current program was started. */
export interface LaunchOptions {
  /** The file that runs, or a link to it, as in `process.argv[1]`. */
  main: string
  /** The name under which the package is published. */
  packageName: string
  platform?: NodeJS.Platform
  /** The Node that starts `main`. */
  node?: string
}

/**
 * How to start this program again: by npx if npm installed it, since its path may change with the
 * next version or cache; otherwise, in a clone, by the path of its file.
 */
export function launchOf({
  main,
  packageName,
  platform = process.platform,
  node = process.execPath,
}: LaunchOptions): Launch {
  const file = fileOf(main)
  if (!file.split(/[/\\]/).includes('node_modules')) return { command: node, args: [file] }
  const args = ['-y', packageName]
  // npx is a script on Windows, which some clients cannot start directly.
  return platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', ...args] }
    : { command: 'npx', args }
}

/** npm installs commands as links. */
function fileOf(main: string): string {
  try {
    return realpathSync(main)
  } catch {
    return main
  }
}

/** The entry of most clients. */
export const plainEntry = ({ command, args }: Launch): Table => ({ command, args: [...args] })

/** The entry with a transport type. */
export const stdioEntry = (launch: Launch): Table => ({ type: 'stdio', ...plainEntry(launch) })
