import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Client } from './entries/client.ts'
import { type HostEnvironment, matchingLocations } from './locations/location.ts'

/** Whether a client is on this computer: a file or folder of it, or one of its commands. */
export async function isInstalled(client: Client, host: HostEnvironment): Promise<boolean> {
  const file = await userFileOf(client, host)
  const traces = client.traces?.(host) ?? [dirname(file)]
  return (
    [file, ...traces].some((path) => existsSync(path)) ||
    client.commands.some((command) => isOnPath(command, host))
  )
}

/** The file that `add CLIENT --user` writes. */
export async function userFileOf(client: Client, host: HostEnvironment): Promise<string> {
  const locations = await Promise.all(client.target(host, 'user').map(matchingLocations))
  const files = locations.flat().map(({ file }) => file)
  return files.find((file) => existsSync(file)) ?? files.at(-1) ?? ''
}

function isOnPath(command: string, { platform, variables }: HostEnvironment): boolean {
  const folders = (variables['PATH'] ?? variables['Path'] ?? '').split(delimiter).filter(Boolean)
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat'] : ['']
  return folders.some((folder) => endings.some((end) => existsSync(join(folder, command + end))))
}
