import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { decodedIn } from './decode.ts'
import { formsOf, withoutEntities, withoutInvisible, withWholeWords } from './fold.ts'
import { hidden, instructing, keyPath, ownToolName } from './patterns.ts'
import { phrases, rules } from './rules.ts'
import { signsOf } from './signs.ts'
import { aboutData } from './words/data.ts'
import { aboutInstructions, example } from './words/instructions.ts'
import { aboutPeople } from './words/people.ts'
import { aboutTools } from './words/tools.ts'

/** Made by the first text: the dictionary takes as long as a twentieth of a start. */
let signs: ReturnType<typeof signsOf> | undefined

function addSigns(text: string, findings: Set<string>): void {
  signs ??= signsOf(
    { ...aboutInstructions, ...aboutPeople, ...aboutTools, ...aboutData },
    phrases,
    rules,
  )
  signs(text, findings)
}

/** Greek or Cyrillic letters next to Latin ones. */
const mixedScripts = /[a-z]\w*[\u0370-\u03FF\u0400-\u04FF]|[\u0370-\u03FF\u0400-\u04FF]\w*[a-z]/iu

/** Characters. Longer definitions are held. */
const maxTextLength = 400_000
/** Between texts, and without a meaning of their own. */
const schemaWords = new Set(
  'name description title inputSchema outputSchema annotations type properties required items enum default string number integer boolean object array null anyOf oneOf allOf additionalProperties $schema format minimum maximum'.split(
    ' ',
  ),
)
const schemaUrl = /^https?:\/\/json-schema\.org\/[\w/-]{0,40}#?$/
const maxDepth = 100
const maxNameLength = 200

/** Signs of an attack on the model in a definition, without duplicates. */
export function findingsIn(definition: JsonObject): string[] {
  const texts: string[] = []
  const isWhole = collectTexts(definition, texts, 0)
  const text = texts.join('\n')
  const findings = new Set<string>()
  if (!isWhole || text.length > maxTextLength) findings.add('too long or too deep to be checked')
  const read = text.slice(0, maxTextLength)
  for (const [finding, patterns] of Object.entries(hidden))
    if (patterns.some((pattern) => pattern.test(read))) findings.add(finding)
  const visible = withoutInvisible(withoutEntities(read))
  for (const passage of [visible, ...decodedIn(visible)]) {
    for (const form of formsOf(passage.replace(example, ' ').replace(keyPath, ' keypath ')))
      addSigns(form, findings)
    for (const form of new Set([passage, withWholeWords(passage)]))
      for (const [finding, patterns] of Object.entries(instructing))
        if (patterns.some((pattern) => pattern.test(form))) findings.add(finding)
  }
  const name = String(definition['name'] ?? '')
  if (name.length > maxNameLength || name === '__proto__') findings.add('an invalid name')
  const names = [...formsOf(withoutInvisible(name.slice(0, maxNameLength)))]
  if (names.some((form) => ownToolName.test(form.replace(/[\W_]+/g, '_'))))
    findings.add('its name imitates a tool of the aggregator')
  if (mixedScripts.test(name.slice(0, maxNameLength)))
    findings.add('a name with letters of several scripts')
  return [...findings]
}

export const findingsInText = (text: string): string[] => findingsIn({ description: text })

function collectTexts(value: unknown, texts: string[], depth: number): boolean {
  if (depth > maxDepth) return false
  if (typeof value === 'string') {
    if (!schemaWords.has(value) && !schemaUrl.test(value)) texts.push(value)
  } else if (Array.isArray(value))
    return value.every((item) => collectTexts(item, texts, depth + 1))
  else if (isJsonObject(value))
    return Object.entries(value).every(([key, item]) => {
      if (!schemaWords.has(key)) texts.push(key)
      return collectTexts(item, texts, depth + 1)
    })
  return true
}
