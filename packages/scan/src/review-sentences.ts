import type { JsonObject } from '#servers/protocol/message'
import { textsOf } from './definition-texts.ts'

/** A sentence of a definition, as a reviewer sees it. */
export interface Sentence {
  text: string
  /** Where it is: `description`, `inputSchema/properties/path/description`. */
  at: string
  /** What it does, by {@link signs}. */
  signs: readonly string[]
  /** What shows each sign: where it begins and ends in the text, without overlaps. */
  places: readonly (readonly [start: number, end: number])[]
  /** It tells the reader to do something with a thing of its own choice. */
  isMarked: boolean
}

/**
 * What sentences of attacks have in common, in any wording: they speak to the model, and they name
 * what it is to use. English, and what is the same in all languages.
 */
const signs: Readonly<Record<string, RegExp>> = {
  'imitates a system prompt':
    /<\/?\s?(?:important|system|instructions?|secret|admin|critical|assistant|human|user)\b[^<>]{0,40}>|<\|[\w▁-]{3,30}\|>|\[\/?INST\]|<<\/?SYS>>|[[【]{1,2}\s?(?:system|admin|developer)\b[^\]】]{0,30}[\]】]/iu,
  'addresses the reader':
    /\b(?:you|your|yourself|must|always|never|do not|don't|should|shall|ensure|make sure|remember|ignore|disregard|instead|prior to|before (?:any|each|every|using|calling|you)|after (?:any|each|every|using|calling)|first|required to|mandatory|important|critical|note|please|prefer\w*|best|only use|use this|assistant|agent|model|llm)\b|\b(?!JSON|HTTP|HTML|UUID|NULL|TRUE|POST|DELETE)[A-Z]{4,}\b|[!！]/iu,
  'names other tools':
    /\b(?:(?:other|another|different|any|all|built-?in|previous|these|following) (?:\w+ )?(?:tools?|functions?|servers?)|deprecated|redirect\w*|replaces|replaced by|superseded)\b/i,
  'keeps something from the user':
    /\b(?:(?:not|never|without|n't) (?:\w+ ){0,3}(?:mention|tell|inform|notify|notif\w+|ask\w*|show|reveal|disclos\w+|confirm\w*|user)|silent\w*|secret(?:ly)?|quiet(?:ly)?|hidden|unnoticed|transparent(?:ly)? to)\b/i,
  'names a host':
    /\bhttps?:\/\/|\b\d{1,3}(?:\.\d{1,3}){3}\b|[\w.+-]+@[\w-]+\.\w{2}|(?<![\w.@/-])(?:[a-z\d-]+\.){1,3}(?:com|org|net|io|dev|ai|app|co|info|xyz|example|test)\b/i,
  'names a file':
    /(?<![\w/:])(?:~|\$HOME|\/(?:etc|home|root|var|usr|tmp|opt|proc|Users)|[A-Z]:\\)[/\\]\S|(?<![\w.])\.(?:ssh|aws|env|bashrc|zshrc|profile|npmrc|netrc|git|kube|docker)\b|\b(?:id_rsa|passwd|credentials|password|api[ _-]?key|token)s?\b|\b[\w-]+\.(?:pem|key|json|ya?ml|sh|bashrc|py|js|exe|md|txt|conf|log)\b/i,
  'names a command':
    /`[^`\s]+\s[^`]+`|\b(?:curl|wget|sudo|chmod|chown|bash|sh -c|ssh|scp|rm -\w|crontab|systemctl|powershell|eval|exec|nc -|pip install|npm install|npx|echo|cat|kill\w*|mkdir|export) \S|\b(?:run|execute[sd]?|executing|command)\b/i,
}

/** Signs of what a reader is to use. */
const things = Object.keys(signs).slice(2)
const orders =
  /\b(?:must|always|never|do not|don't|shall|required|mandatory|ensure|instead|prior to)\b/i
/** Characters of a definition that are divided into sentences. */
const maxLength = 60_000
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The sentences of a definition: those that say most to a model come first, then as they stand. */
export function reviewSentences(definition: JsonObject): Sentence[] {
  let rest = maxLength
  const sentences = textsOf(definition)
    .texts.filter(({ isProse }) => isProse)
    .flatMap(({ text, at }) => {
      const read = text.slice(0, Math.max(rest, 0))
      rest -= read.length
      return sentencesIn(read).map((sentence) => toSentence(sentence, at))
    })
  return sentences.sort((a, b) => weightOf(b) - weightOf(a))
}

const sentencesIn = (text: string): string[] =>
  text
    .split(/[\r\n]+/)
    .flatMap((line) => [...segmenter.segment(line)].map(({ segment }) => segment.trim()))
    .filter((sentence) => sentence !== '')

function toSentence(text: string, at: string): Sentence {
  const matches = Object.entries(signs).flatMap(([sign, pattern]) => {
    const match = pattern.exec(text)
    return match ? [{ sign, start: match.index, end: match.index + match[0].length }] : []
  })
  const found = matches.map(({ sign }) => sign)
  const count = things.filter((sign) => found.includes(sign)).length
  const isMarked = found[0] === 'imitates a system prompt' || (orders.test(text) && count > 0)
  return { text, at, signs: found, places: withoutOverlaps(matches), isMarked }
}

function withoutOverlaps(
  matches: readonly { start: number; end: number }[],
): (readonly [number, number])[] {
  const places: [number, number][] = []
  for (const { start, end } of matches.toSorted((a, b) => a.start - b.start)) {
    const last = places.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else places.push([start, end])
  }
  return places
}

const weightOf = ({ signs, isMarked }: Sentence): number => signs.length + (isMarked ? 10 : 0)
