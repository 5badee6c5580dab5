import type { Mode } from '#servers/protocol/request-context'
import type { ToolView } from '../catalog/tool-view.ts'
import type { Trust } from '../catalog/trust/trust.ts'

/** Characters of the instructions of all servers: clients show models about 2,000. */
const maxCharacters = 1_800
/** Shorter parts say nothing. */
const minPart = 120

/**
 * What a client tells its model at the start. In `meta` the instructions of a server come with
 * `get_module_schema`. Else they are here if the server has answered before: whole if it is the only
 * one, under its own names, and cut otherwise.
 */
export function instructionsFor(
  { mode, prefix }: { mode: Mode; prefix: boolean },
  view: ToolView,
  trust: Trust,
): string | undefined {
  const { servers } = view
  if (mode === 'meta')
    return `Tools of ${servers.length === 1 ? 'one server' : `${servers.length} servers`}: find one with search_tools, then use call. One get_module_schema per server and session is enough.`
  const texts = servers.flatMap((server) => {
    const { name } = server
    const entry = view.entryOf(name)
    const text = entry && trust.instructionsOf(server, entry)
    return text ? [{ name, text }] : []
  })
  if (servers.length === 1 && !prefix) return texts[0]?.text
  const selection = texts.slice(0, Math.floor(maxCharacters / minPart))
  const maxPart = Math.floor(maxCharacters / selection.length)
  const parts = selection.map(({ name, text }) => `${name}: ${cut(text, maxPart)}`)
  const rest = texts.length - selection.length
  if (rest > 0) parts.push(`${rest} more servers have instructions, which are not shown here.`)
  if (mode === 'list')
    parts.unshift(
      'Tools are named server__tool; get_module_schema gives their parameters, once per server and session.',
    )
  return parts.length > 0 ? parts.join('\n\n') : undefined
}

const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}… (${text.length - maxLength} more characters)`
