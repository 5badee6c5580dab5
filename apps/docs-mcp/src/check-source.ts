import { existsSync } from 'node:fs'
import { commands } from './config.ts'
import { UsageError } from './settings.ts'

/** A source that can never be read is told when it is named. @throws {UsageError} */
export function checkSource(source: string): void {
  const quoted = JSON.stringify(source)
  if (/^https?:/i.test(source)) {
    if (!URL.canParse(source)) throw new UsageError(`source ${quoted}: is no URL.`)
    const url = new URL(source)
    if (url.username || url.password)
      throw new UsageError(
        `source ${url.origin}: addresses with a user name or password are refused; set headers for the host instead.`,
      )
    return
  }
  if (/^file:/i.test(source) || existsSync(source)) return
  const isHost = /^[\w-]+(?:\.[\w-]+)+(?:[/:]|$)/.test(source)
  const isWord = /^[a-z-]+$/i.test(source)
  const meant = isHost
    ? ` For a site: https://${source}`
    : isWord
      ? ` The commands are ${commands.join(', ')}.`
      : ''
  throw new UsageError(`there is no source ${quoted}: pass a folder, a file or a URL.${meant}`)
}
