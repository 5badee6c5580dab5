import { bash } from './bash.ts'
import { c, cpp } from './c-family.ts'
import { components } from './components.ts'
import { csharp } from './csharp.ts'
import { dart } from './dart.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { javascript, tsx, typescript } from './javascript.ts'
import { kotlin } from './kotlin.ts'
import type { Language } from './language.ts'
import { lua } from './lua.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { ruby } from './ruby.ts'
import { rust } from './rust.ts'
import { scala } from './scala.ts'
import { swift } from './swift.ts'

export const allLanguages: readonly Language[] = [
  javascript,
  typescript,
  tsx,
  python,
  go,
  rust,
  java,
  c,
  cpp,
  csharp,
  ruby,
  php,
  kotlin,
  scala,
  swift,
  dart,
  bash,
  lua,
  ...components,
]

const languagesBy = (names: (language: Language) => readonly string[]) =>
  new Map(allLanguages.flatMap((lang) => names(lang).map((name) => [name, lang] as const)))
const byExtension = languagesBy(({ extensions }) => extensions)
const byFilename = languagesBy(({ filenames = [] }) => filenames)
const byInterpreter = languagesBy(({ interpreters = [] }) => interpreters)

/** The language of a file by its name; undefined if the name does not determine it. */
export function languageOfName(path: string): Language | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const dot = name.lastIndexOf('.')
  const language = byFilename.get(name)
  return language ?? (dot < 0 ? undefined : byExtension.get(name.slice(dot).toLowerCase()))
}

/** The language of a file by its name, else by its first line. */
export function languageOf(path: string, text: string): Language | undefined {
  const language = languageOfName(path) ?? languageOfShebang(text)
  return language === c && path.endsWith('.h') && isCpp(text) ? cpp : language
}

function languageOfShebang(text: string): Language | undefined {
  const program = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(?:\S*\/)?([A-Za-z][\w-]*?)[\d.]*(?=\s|$)/.exec(
    text,
  )?.[1]
  return program === undefined ? undefined : byInterpreter.get(program)
}

/** Patterns that do not occur in C headers, except in comments. */
const isCpp = (text: string): boolean =>
  /^[ \t]*(?:namespace\b|template\s*<|using\s+(?:namespace\s|\w+\s*=|\w*::)|virtual\s|public:|private:|protected:|#\s*include\s*<[a-z_]+>)/m.test(
    text,
  ) ||
  hasClass(text) ||
  /^[^*/"\n]*\bstd::\w/m.test(text) ||
  /\)[ \w]*= *(?:default|delete) *;/.test(text)

/** Characters between the name of a class and its body, such as base classes. */
const maxHead = 400

/** True if a line defines or declares a class: `class A : public B {`, `class A;`. */
function hasClass(text: string): boolean {
  // The text after each match is checked separately: a single pattern takes quadratic time for a
  // long line.
  for (const { 0: begin, index } of text.matchAll(/^[ \t]*(enum\s+)?class\s+\w+/gm)) {
    const rest = text.slice(index + begin.length, index + begin.length + maxHead)
    const end = rest[rest.search(/[;(){]/)]
    if (end === '{' || (end === ';' && !/\w/.test(rest.slice(0, rest.indexOf(';'))))) return true
  }
  return false
}

export const languageNamed = (name: string): Language | undefined =>
  allLanguages.find((language) => language.name === name)
