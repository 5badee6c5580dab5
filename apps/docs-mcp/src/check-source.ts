import { existsSync } from 'node:fs'
import { UsageError, unknownCommand } from '@pith-mcp/server-kit/settings'
import { commands } from './config.ts'

/** Reject a source that can never be read, at startup. @throws {UsageError} */
export async function checkSource(source: string): Promise<void> {
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
  if (isWord) throw await unknownCommand(source, { program: 'docs-mcp', commands }, 'source')
  const meant = isHost ? ` For a site, pass https://${source}` : ''
  throw new UsageError(`There is no source ${quoted}. Pass a folder, a file or a URL.${meant}`)
}
