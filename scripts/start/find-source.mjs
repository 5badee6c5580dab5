import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

export const isUrl = (name) => /^https?:/i.test(name)

/** What to ask, as docs-mcp takes it. @throws if it names a file or folder that is not there */
export function findSource(name) {
  if (name === undefined || isUrl(name)) return name
  // npm runs scripts in the root of the repository; paths are meant from where it was called.
  const path = resolve(process.env.INIT_CWD ?? '.', name)
  if (!existsSync(path)) {
    const isHost = /^[\w-]+(?:\.[\w-]+)+(?:[/:]|$)/.test(name)
    const site = isHost ? ` For a site, pass https://${name}` : ''
    throw new Error(`There is no file or folder ${path}.${site}`)
  }
  return path
}
