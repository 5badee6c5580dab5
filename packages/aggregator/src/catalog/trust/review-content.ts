import { createHash } from 'node:crypto'
import { appUriOf } from '#servers/protocol/apps'
import type { JsonObject } from '#servers/protocol/message'
import { comparedUri } from '#servers/protocol/normal-uri'
import { qualifiedName } from '#servers/protocol/server-account'
import { type CurrentPins, sourceOfUnit } from './current-pins.ts'
import { changeReasons, type NewTools, unreadablePins } from './new-tools.ts'
import type { PinnedServer } from './pin.ts'

/** The name under which the content of an app, or of a file of a skill, is pinned. */
const contentKey = (uri: string): string => `${comparedUri(uri)}#content`

/** Characters of a content that a reviewer sees. */
const maxShownLength = 8_000

/** What is pinned of a content: its digest, and what a reviewer sees of it. */
function contentPart(uri: string, contents: unknown): { hash: string; definition: JsonObject } {
  const parts = (Array.isArray(contents) ? contents : []).map((part) => {
    // `_meta` has what an app may connect to and use.
    const { text, blob, mimeType, _meta } = Object(part) as JsonObject
    return { text, blob, mimeType, _meta }
  })
  const json = JSON.stringify(parts)
  const content = parts.map(({ text }) => (typeof text === 'string' ? text : '(binary)')).join('\n')
  const more = content.length - maxShownLength
  return {
    hash: createHash('sha256').update(json).digest('hex'),
    definition: {
      name: contentKey(uri),
      description:
        more > 0 ? `${content.slice(0, maxShownLength)}… (${more} more characters)` : content,
    },
  }
}

/** True if the app of a tool has changed and was not approved. */
export function isAppHeld(definition: JsonObject, { waiting }: PinnedServer): boolean {
  const uri = appUriOf(definition)
  return uri !== undefined && waiting[contentKey(uri)] !== undefined
}

/**
 * Compares the content of an app, or of a file of a skill, with its pin, which the first one gets.
 * Undefined if it is the pinned one; without reasons if it was not known before.
 */
export function reviewContent(
  unit: Parameters<typeof sourceOfUnit>[0],
  { uri, contents }: { uri: string; contents: unknown },
  { pins, newTools }: { pins: CurrentPins; newTools: NewTools },
): { tool: string; reasons: string[] } | undefined {
  const name = qualifiedName(unit)
  const source = sourceOfUnit(unit)
  const pinned = pins.read(name, source)
  const tool = contentKey(uri)
  if (pinned === 'unreadable') return { tool, reasons: [unreadablePins] }
  const { hash, definition } = contentPart(uri, contents)
  const pin = pinned.pins[tool]
  if (pin?.hash === hash && pinned.waiting[tool] === undefined) return undefined
  // An app is a program, a skill addresses the model: both change with a review only.
  const isChanged = pin !== undefined && pin.hash !== hash
  const reasons = isChanged ? [changeReasons.content] : []
  if (pin !== undefined || newTools !== 'ignore')
    pins.keep({ name, source }, pinned, new Map([[tool, { definition, hash, reasons }]]))
  return { tool, reasons }
}
