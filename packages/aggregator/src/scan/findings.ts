import { isJsonObject, type JsonObject } from '../protocol/message.ts'
import { foldText, withoutInvisible } from './fold.ts'
import { hidden, instructing, ownToolName } from './patterns.ts'

/** Greek or Cyrillic letters next to Latin ones. */
const mixedScripts = /[a-z]\w*[\u0370-\u03FF\u0400-\u04FF]|[\u0370-\u03FF\u0400-\u04FF]\w*[a-z]/iu

/** Characters. Longer definitions are held. */
const maxTextLength = 400_000
const maxDepth = 100
const maxNameLength = 200

/** Signs of an attack on the model in a definition, without duplicates. */
export function findingsIn(definition: JsonObject): string[] {
  const texts: string[] = []
  const isWhole = collectTexts(definition, texts, 0)
  const text = texts.join('\n')
  const found = new Set<string>()
  if (!isWhole || text.length > maxTextLength) found.add('too long or too deep to be checked')
  const read = text.slice(0, maxTextLength)
  const forms = [withoutInvisible(read), foldText(read)]
  for (const [finding, patterns] of Object.entries(hidden))
    if (patterns.some((pattern) => pattern.test(read))) found.add(finding)
  for (const [finding, patterns] of Object.entries(instructing))
    if (patterns.some((pattern) => forms.some((form) => pattern.test(form)))) found.add(finding)
  const name = String(definition['name'] ?? '')
  if (name.length > maxNameLength || name === '__proto__') found.add('an invalid name')
  if (ownToolName.test(foldText(name.slice(0, maxNameLength)).replace(/[\W_]+/g, '_')))
    found.add('its name imitates a tool of the aggregator')
  if (mixedScripts.test(name.slice(0, maxNameLength)))
    found.add('a name with letters of several scripts')
  return [...found]
}

export const findingsInText = (text: string): string[] => findingsIn({ description: text })

function collectTexts(value: unknown, texts: string[], depth: number): boolean {
  if (depth > maxDepth) return false
  if (typeof value === 'string') texts.push(value)
  else if (Array.isArray(value)) return value.every((item) => collectTexts(item, texts, depth + 1))
  else if (isJsonObject(value))
    return Object.entries(value).every(([key, item]) => {
      texts.push(key)
      return collectTexts(item, texts, depth + 1)
    })
  return true
}
