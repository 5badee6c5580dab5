import type { JsonObject } from '#servers/protocol/message'
import { decodedIn } from './decode.ts'
import { textsOf } from './definition-texts.ts'

/** Invisible to people who read a definition, but not to a model, by the reason that is shown. */
const invisible: Readonly<Record<string, RegExp>> = {
  'invisible characters of the tag block': /[\u{E0000}-\u{E007F}]/u,
  'variation selectors that spell a text': /[\u{E0100}-\u{E01EF}]|[\uFE00-\uFE0F]{3,}/u,
  'characters that change the direction of text': /[\u202A-\u202E\u2066-\u2069]/,
  // Joiners are normal in some scripts and between emoji, not between Latin letters.
  'invisible characters inside words':
    /[\u0020-\u024F][\u200B-\u200D\u2060-\u2064\uFEFF\u00AD]+[\u0020-\u024F]|[\u200B\u2060-\u2064\u180E]{2,}/,
  'control characters': /(?![\t\n\r])\p{Cc}/u,
}

/**
 * Why a definition is held for its text, without duplicates: people cannot read what a model reads.
 * What they can read is theirs to judge.
 */
export function hiddenIn(definition: JsonObject): string[] {
  const { texts, isWhole } = textsOf(definition)
  const found = new Set(isWhole ? [] : ['too long or too deep to be checked'])
  for (const { text, isProse } of texts) {
    for (const [reason, pattern] of Object.entries(invisible))
      if (pattern.test(text)) found.add(reason)
    for (const { coding } of decodedIn(text, isProse)) found.add(`a text in ${coding}`)
  }
  return [...found]
}

export const hiddenInText = (text: string): string[] => hiddenIn({ description: text })
