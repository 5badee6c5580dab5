import { latinOfLookalike } from '#scan/lookalikes'
import { folded } from './patterns.ts'

/** Characters of a value that is tested; a longer one cannot be judged. */
const maxLength = 10_000
/** Times that a server, a proxy and a library before it may decode a text. */
const maxDecoded = 5

/** What a text is after NUL, one server reads and another does not. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxLength && !value.includes('\0')

/** Without forms of letters and characters that are not visible. */
export const plain = (text: string): string =>
  text.normalize('NFKC').replace(/[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu, '')

const dots = /[\u3002\u2024\uff61]/g
const slashes = /[\u2044\u2215\u29f8]/g

/** With one sign for each dot and slash. */
export const withSigns = (text: string): string =>
  plain(text)
    .replace(dots, '.')
    .replace(slashes, '/')
    .replace(/[\n\t]/g, ' ')
    .trim()

/** Without what servers, file systems and people may not tell apart. */
export function loose(text: string): string {
  // JSON of a text.
  const unquoted = withSigns(text).replace(/^(["'])(.*)\1$/s, '$2')
  return folded(/^[\x20-\x7e]*$/.test(unquoted) ? unquoted : latin(unquoted))
}

const latin = (text: string): string =>
  Array.from(text, (sign) => {
    const small = folded(sign)
    return latinOfLookalike.get(sign) ?? latinOfLookalike.get(small) ?? small
  }).join('')

/** A name without what divides its words. */
export const looseName = (name: string): string => loose(name).replace(/[^\p{L}\p{N}]/gu, '')

/** As lenient servers decode: what cannot be decoded stays, and slashes and dots may be too long. */
function decoded(text: string): string {
  const short = text.replace(/%(?:c0|e0%80|f0%80%80)%(a[ef])/gi, (_, low: string) =>
    low.toLowerCase() === 'ae' ? '.' : '/',
  )
  try {
    return decodeURIComponent(short)
  } catch {
    return short.replace(/%[0-7][\da-f]/gi, decodeURIComponent)
  }
}

/** A text, and what it is after it was decoded, once and more often. */
export function decodings(text: string): string[] {
  const forms = [text]
  for (let form = decoded(text); form !== forms.at(-1) && forms.length <= maxDecoded; ) {
    forms.push(form)
    form = decoded(form)
  }
  return forms
}

/** Whether segments lead out of what a text begins with, also after it is decoded. */
export const leadsOut = (text: string): boolean =>
  decodings(text).some((form) => /(?:^|[\\/])\.{2}[\s\0;]*(?:$|[\\/?#;])/.test(withSigns(form)))

/** Parts of the name of a branch that git lets one leave out: `+HEAD:refs/heads/main`. */
const refPrefix = /^\+?(?:[^:\s]*:(?!\/\/))?(?:refs\/)?(?:heads\/|remotes\/[^/]+\/)?/

/** The texts that a server may read from one, without repetition. */
export const readingsOf = (text: string): string[] => [
  ...new Set(
    decodings(text).flatMap((form) => [form, loose(form), loose(form).replace(refPrefix, '')]),
  ),
]
