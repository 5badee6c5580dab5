import { isJsonObject, type JsonObject } from '../../protocol/message.ts'

interface Rule {
  /** Shown as the reason. */
  finding: string
  pattern: RegExp
}

/** Invisible to people who read a definition, but not to a model. */
const hidden: readonly Rule[] = [
  { finding: 'invisible characters of the tag block', pattern: /[\u{E0000}-\u{E007F}]/u },
  {
    finding: 'variation selectors that spell a text',
    pattern: /[\u{E0100}-\u{E01EF}]|[\uFE00-\uFE0F]{3,}/u,
  },
  {
    finding: 'characters that change the direction of text',
    pattern: /[\u202A-\u202E\u2066-\u2069]/,
  },
  // Joiners are normal in some scripts and between emoji, not between Latin letters.
  {
    finding: 'invisible characters inside words',
    pattern:
      /[\u0020-\u024F][\u200B-\u200D\u2060-\u2064\uFEFF\u00AD]+[\u0020-\u024F]|[\u200B\u2060-\u2064\u180E]{2,}/,
  },
  {
    finding: 'control characters',
    pattern: /(?![\t\n\r])\p{Cc}/u,
  },
]

/** A definition describes a tool. These patterns address the model about something else. */
const instructing: readonly Rule[] = [
  {
    finding: 'asks to disregard instructions',
    pattern:
      /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|earlier|above|other|system|all)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules|guidelines|directives)\b/i,
  },
  {
    finding: 'asks to keep something from the user',
    pattern:
      /\b(?:do not|don'?t|never|without)\b[^.\n]{0,30}\b(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|notify(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|alert(?:ing)?)\b[^.\n]{0,40}\buser\b/i,
  },
  {
    finding: 'asks to keep something from the user',
    pattern: /\b(?:hide|conceal|keep)\b[^.\n]{0,30}\b(?:from the user|secret from)\b/i,
  },
  {
    finding: 'imitates markers of a system prompt',
    pattern:
      /<\/?(?:important|system|instructions?|secret|admin|critical)\s*>|<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?INST\]|<<SYS>>/i,
  },
  {
    finding: 'names files with credentials',
    pattern:
      /(?:~|\$HOME|\/home\/\w+|\/root)\/\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|claude|cursor|config\/gcloud)\b|\bid_(?:rsa|ed25519)\b|\/etc\/(?:passwd|shadow)\b/i,
  },
  {
    finding: 'asks to call other tools first or instead',
    pattern:
      /\b(?:before|whenever|when|instead of)\b[^.\n]{0,30}\b(?:using|calling|invoking|running)\b[^.\n]{0,20}\b(?:any|every|all|other)\b[^.\n]{0,12}\btools?\b[^.\n]{0,80}\b(?:must|always|first)\b/i,
  },
  {
    finding: 'asks to send something elsewhere',
    pattern:
      /\b(?:send|forward|upload|exfiltrate|post|copy|bcc)\b[^.\n]{0,60}\b(?:conversation|chat history|system prompt|credentials|private keys?|api[ _-]?keys?|passwords|environment variables)\b[^.\n]{0,60}\b(?:to|at)\b/i,
  },
]

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
  for (const { finding, pattern } of [...hidden, ...instructing])
    if (pattern.test(text.slice(0, maxTextLength))) found.add(finding)
  const name = String(definition['name'] ?? '')
  if (name.length > maxNameLength || name === '__proto__') found.add('an invalid name')
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
