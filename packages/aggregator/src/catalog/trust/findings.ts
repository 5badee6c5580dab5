import { type Fields, isFields } from '../../protocol/message.ts'

interface Rule {
  /** What is said of a definition in which it is found. */
  finding: string
  pattern: RegExp
}

/** Nobody who reads a definition sees these, and a model does. */
const hidden: readonly Rule[] = [
  { finding: 'invisible characters of the tag block', pattern: /[\u{E0000}-\u{E007F}]/u },
  {
    finding: 'variation selectors that spell a text',
    pattern: /[\u{E0100}-\u{E01EF}]|[\uFE00-\uFE0F]{3,}/u,
  },
  {
    finding: 'characters that turn the direction of text',
    pattern: /[\u202A-\u202E\u2066-\u2069]/,
  },
  // Joiners belong into some scripts and between emoji, not between Latin letters.
  {
    finding: 'invisible characters inside of words',
    pattern:
      /[\u0020-\u024F][\u200B-\u200D\u2060-\u2064\uFEFF\u00AD]+[\u0020-\u024F]|[\u200B\u2060-\u2064\u180E]{2,}/,
  },
  {
    finding: 'control characters',
    pattern: /(?![\t\n\r])\p{Cc}/u,
  },
]

/** Definitions say what a tool does. These speak to the model about something else. */
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
    finding: 'imitates the marks of a system prompt',
    pattern:
      /<\/?(?:important|system|instructions?|secret|admin|critical)\s*>|<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?INST\]|<<SYS>>/i,
  },
  {
    finding: 'names files with credentials',
    pattern:
      /(?:~|\$HOME|\/home\/\w+|\/root)\/\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|claude|cursor|config\/gcloud)\b|\bid_(?:rsa|ed25519)\b|\/etc\/(?:passwd|shadow)\b/i,
  },
  {
    finding: 'asks that other tools be called first or instead',
    pattern:
      /\b(?:before|whenever|when|instead of)\b[^.\n]{0,30}\b(?:using|calling|invoking|running)\b[^.\n]{0,20}\b(?:any|every|all|other)\b[^.\n]{0,12}\btools?\b[^.\n]{0,80}\b(?:must|always|first)\b/i,
  },
  {
    finding: 'asks that something be sent elsewhere',
    pattern:
      /\b(?:send|forward|upload|exfiltrate|post|copy|bcc)\b[^.\n]{0,60}\b(?:conversation|chat history|system prompt|credentials|private keys?|api[ _-]?keys?|passwords|environment variables)\b[^.\n]{0,60}\b(?:to|at)\b/i,
  },
]

/** Letters of other scripts that look like Latin ones, among Latin ones. */
const mixedScripts = /[a-z]\w*[\u0370-\u03FF\u0400-\u04FF]|[\u0370-\u03FF\u0400-\u04FF]\w*[a-z]/iu

/** Definitions are not longer than this; what is, is held for that. */
const longestText = 400_000
const deepest = 100
const longestName = 200

/** What in a definition speaks of an attack upon the model; each finding once. */
export function findingsIn(definition: Fields): string[] {
  const texts: string[] = []
  const isWhole = collectTexts(definition, texts, 0)
  const text = texts.join('\n')
  const found = new Set<string>()
  if (!isWhole || text.length > longestText) found.add('too long or too deep to be read')
  for (const { finding, pattern } of [...hidden, ...instructing])
    if (pattern.test(text.slice(0, longestText))) found.add(finding)
  const name = String(definition['name'] ?? '')
  if (name.length > longestName || name === '__proto__') found.add('a name that is none')
  if (mixedScripts.test(name.slice(0, longestName)))
    found.add('a name in letters of several scripts')
  return [...found]
}

export const findingsInText = (text: string): string[] => findingsIn({ description: text })

function collectTexts(value: unknown, texts: string[], depth: number): boolean {
  if (depth > deepest) return false
  if (typeof value === 'string') texts.push(value)
  else if (Array.isArray(value)) return value.every((item) => collectTexts(item, texts, depth + 1))
  else if (isFields(value))
    return Object.entries(value).every(([key, item]) => {
      texts.push(key)
      return collectTexts(item, texts, depth + 1)
    })
  return true
}
