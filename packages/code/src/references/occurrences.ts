import { escapePattern } from '#base/escape-pattern'
import type { Language } from '../languages/language.ts'
import type { Import } from './imports.ts'

/** An occurrence of an identifier in code, outside comments and texts. */
export interface Occurrence {
  start: number
  /** What it is by the characters around it. */
  form: 'call' | 'import' | 'use'
  /** A dot precedes it. */
  isMember: boolean
  /** A key of an object, a property of a type, or a named argument: `name: value`, `name=value`. */
  isKey: boolean
  /** It is a word of the language here: `as` in `x as T`. */
  isKeyword: boolean
  /** A keyword that defines something precedes it. */
  isDefinition: boolean
  /** It is, or may be, a variable or parameter of a block. */
  isLocal: boolean
}

/** Words of languages that are also names. */
const contextual: ReadonlySet<string> = new Set(
  'as async await by from get in infix init is of open out set type value when where with'.split(
    ' ',
  ),
)

/** At most this many occurrences of a file are looked at. */
export const maxInFile = 20_000

/** The occurrences of an identifier in code, in their order. */
export function occurrencesOf(
  text: string,
  name: string,
  language: Language,
  imports: readonly Import[],
): Occurrence[] {
  const isPython = language.name === 'python'
  const occurrences: Occurrence[] = []
  let next = 0
  let importEnd = 0
  for (const start of placesOf(text, name, language)) {
    for (; (imports[next]?.start ?? Infinity) <= start; next++)
      importEnd = Math.max(importEnd, (imports[next] as Import).end)
    const end = start + name.length
    const before = text.slice(Math.max(0, start - 40), start)
    const after = text.slice(end, end + 300)
    const isMember = /(?:^|[^.])\.\s*$/.test(before)
    occurrences.push({
      start,
      form: start < importEnd ? 'import' : isCall(before, after) ? 'call' : 'use',
      isMember,
      isKeyword: !isMember && contextual.has(name) && /^\s+['"\w$]/.test(after),
      isDefinition:
        /\b(?:function\*?|class|interface|type|enum|def|func|fn|fun|struct|trait|namespace|const|let|var|val)\s+$/.test(
          before,
        ),
      isKey: isPython ? isPythonKey(before, after) : isKey(before, after),
      isLocal: isPython ? isPythonLocal(before, after) : isLocal(before, after),
    })
    if (occurrences.length === maxInFile) break
  }
  return occurrences
}

const isCall = (before: string, after: string): boolean =>
  /^\s{0,9}(?:<[^<>;{}]{0,50}>\s{0,9})?(?:\?\.)?\(/.test(after) ||
  /\bnew\s+(?:[\w$]+\.)*$/.test(before)

const isKey = (before: string, after: string): boolean =>
  /^\??\s*:(?![:=])/.test(after) &&
  /(?:[{,(;]\s*|(?:^|\n)[ \t]*(?:(?:readonly|static|public|private|protected|override)[ \t]+)*)$/.test(
    before,
  )

/** A declaration before a name, alone or in a pattern. */
export const declared: RegExp = /\b(?:const|let|var)\s+(?:[{[](?:(?!\b(?:of|in)\b)[^=;(])*)?$/

/** `const name`, `const { name } =`, `(name) =>`, `name =>`, `function f(a, name: T) {`. */
const isLocal = (before: string, after: string): boolean =>
  declared.test(before) ||
  (/^\s*=>/.test(after) && /(?:[=(,?]|=>|\basync)\s*$/.test(before)) ||
  (/[({,]\s*(?:\.\.\.)?$/.test(before) &&
    !/\b(?:if|while|switch|with)\s*\($|<[^<>()]*$/.test(before) &&
    /^\??\s*(?=[,:=})])(?:[,:=](?!=)[^(){}]{0,200})?\}?[^(){}]{0,100}\)\s*(?::[^={;()]{0,100})?(?:=>|\{)/.test(
      after,
    ))

/** `f(name=1)`, and `name: T` or `name = 1` at the beginning of a line. */
const isPythonKey = (before: string, after: string): boolean =>
  /^\s*=(?!=)/.test(after)
    ? /(?:[(,]\s*|(?:^|\n)[ \t]*)$/.test(before)
    : /^[ \t]*:/.test(after) && /(?:^|\n)[ \t]*$/.test(before)

/** Assigned, or a parameter if it is in the header of a function. */
const isPythonLocal = (before: string, after: string): boolean =>
  (/(?:^|\n)[ \t]*$/.test(before) && /^\s*(?::[^=\n]*)?=(?!=)/.test(after)) ||
  /\b(?:for|as)\s+$/.test(before) ||
  (/[(,]\s*\*{0,2}$/.test(before) && /^\s*[:=,)]/.test(after))

/** Where the identifier is in code, also in that within texts. */
function* placesOf(text: string, name: string, language: Language): Iterable<number> {
  const pattern = wordOf(name, language)
  const inner = interpolations[language.name] ?? /(?!)/g
  for (const { 1: word, 2: formatted, index } of text.matchAll(patternOf(pattern, language)))
    if (word !== undefined) yield index
    else if (formatted?.includes(name))
      for (const code of formatted.matchAll(inner))
        for (const place of code[0].matchAll(new RegExp(pattern, 'g')))
          yield index + code.index + place.index
}

/** What texts with code in them begin with, if not all may have some. */
const marks: Readonly<Record<string, string>> = {
  python: String.raw`\b(?:[rR]?[fFtT][rR]?)`,
  csharp: String.raw`(?:\$+@?|@\$)`,
}

/** In braces, one level of which may be within. */
const inBraces = /\$\{(?:[^{}]|\{[^{}]*\}?)*|\$[\w$]+/g
/** Where texts have code in them; what is not closed ends with the text, at a quotation mark. */
const interpolations: Readonly<Record<string, RegExp>> = {
  python: /\{[^{}]*/g,
  csharp: /\{[^{}]*/g,
  kotlin: inBraces,
  dart: inBraces,
  scala: inBraces,
  swift: /\\\([^"]*/g,
}

/** Matches a name as a whole word. */
export function wordOf(name: string, language: Language | undefined): string {
  const part = hasDollars.has(language?.name ?? '') ? String.raw`[\w$]` : String.raw`\w`
  return `(?<!${part})${escapePattern(name)}(?!${part})`
}

/** In names of these languages, `$` is a letter; in others it stands before one. */
const hasDollars: ReadonlySet<string> = new Set([
  'javascript',
  'typescript',
  'tsx',
  'vue',
  'svelte',
  'astro',
  'html',
  'java',
])

const hashed: ReadonlySet<string> = new Set(['ruby', 'bash', 'php'])
/** A single quotation mark is of one character, or of a lifetime. */
const ofCharacters: ReadonlySet<string> = new Set([
  'c',
  'cpp',
  'csharp',
  'go',
  'java',
  'kotlin',
  'rust',
  'scala',
  'swift',
])

/** Matches comments and texts, and outside them the name, in a group; `f''` in the second. */
function patternOf(word: string, language: Language): RegExp {
  const { name: lang } = language
  const comments = [
    ...(lang === 'python' || lang === 'ruby' || lang === 'bash' || lang === 'lua'
      ? []
      : [String.raw`\/\*[\s\S]*?(?:\*\/|$)`, String.raw`(?<![:\\])\/\/[^\n]*`]),
    ...(lang === 'python' ? ['#[^\\n]*'] : []),
    ...(hashed.has(lang) ? [String.raw`(?<![^\s;)}])#(?![{[])[^\n]*`] : []),
    ...(lang === 'lua' ? [String.raw`--[^\n]*`] : []),
  ]
  // What does not end ends the file, and an escaped quotation mark begins nothing: each character
  // is looked at once.
  const texts = [
    ...(lang === 'python'
      ? [String.raw`"""[\s\S]*?(?:"""|$)`, String.raw`'''[\s\S]*?(?:'''|$)`]
      : []),
    ...(lang === 'go' ? ['`[^`]*(?:`|$)'] : []),
    String.raw`\\["']`,
    String.raw`"(?:[^"\\\n]|\\[\s\S])*"`,
    ofCharacters.has(lang)
      ? String.raw`'(?:[^'\\\n]|\\[^\n]{1,10})'`
      : String.raw`'(?:[^'\\\n]|\\[\s\S])*'`,
  ]
  // Interpolated texts have code in them.
  const opaque = lang === 'bash' || lang === 'ruby' || lang === 'php' ? [texts.at(-1)] : texts
  const inTexts = [String.raw`"""[\s\S]*?(?:"""|$)`, ...texts].join('|')
  const mark = marks[lang] ?? ''
  const formatted = lang in interpolations ? `${mark}(?:${inTexts})` : '(?!)'
  return new RegExp([...comments, `(${word})`, `(${formatted})`, ...opaque].join('|'), 'g')
}
