import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

/** Fetch a Debian package into a folder; the name of its file. Needs apt-get. */
export function download(name, folder) {
  const apt = (...args) =>
    execFileSync('apt-get', args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 600_000,
    })
  try {
    apt('download', name)
  } catch {
    apt('update')
    apt('download', name)
  }
  return readdirSync(folder).find((file) => file.startsWith(`${name}_`))
}
