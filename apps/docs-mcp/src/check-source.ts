import { existsSync } from 'node:fs'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { commands } from './config.ts'

/** Reject a source that can never be read, at startup. @throws {UsageError} */
export function checkSource(source: string): void {
  const quoted = JSON.stringify(source)
  if (/^https?:/i.test(source)) {
    if (!URL.canParse(source)) throw new UsageError(`The source ${quoted} is not a valid URL.`)
    const url = new URL(source)
    if (url.username || url.password)
      throw new UsageError(
        `The source ${url.origin} contains a user name or password. Configure headers for the host instead.`,
      )
    return
  }
  if (/^file:/i.test(source) || existsSync(source)) return
  const isHost = /^[\w-]+(?:\.[\w-]+)+(?:[/:]|$)/.test(source)
  const isWord = /^[a-z-]+$/i.test(source)
  const meant = isHost
    ? ` For a site, pass https://${source}`
    : isWord
      ? ` The commands are ${commands.join(', ')}.`
      : ''
  throw new UsageError(`There is no source ${quoted}. Pass a folder, a file or a URL.${meant}`)
}
