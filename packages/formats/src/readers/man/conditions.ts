import type { Definitions } from './definitions.ts'

/** Conditions that are open, or in one line. */
const maxConditions = 100

/** Which lines `if`, `ie` and `el` leave. */
export class Conditions {
  readonly #definitions: Definitions
  /** Open braces of the part that is skipped. */
  #skipped = 0
  /** For each `ie` without its `el`, whether that is performed. */
  readonly #elses: boolean[] = []

  constructor(definitions: Definitions) {
    this.#definitions = definitions
  }

  /** The text of a line; undefined if it is skipped or a condition alone. */
  textOf(line: string): string | undefined {
    if (this.#skipped > 0) {
      this.#skipped = Math.max(0, this.#skipped + bracesOf(line))
      return undefined
    }
    let text = line
    for (let left = maxConditions; left > 0; left--) {
      const [start = '', request] = /^[.']\s*(if|ie|el)(?![A-Za-z\d])\s*/.exec(text) ?? []
      if (request === undefined) break
      const rest = this.#performed(request, text.slice(start.length))
      if (rest === undefined) {
        this.#skipped = Math.max(0, bracesOf(text))
        return undefined
      }
      text = rest.trimStart().replace(/^\\{\s*/, '')
    }
    const words = text.replace(/\\}\s*$/, '').replace(/^\.$/, '')
    return words === '' && text !== line ? undefined : words
  }

  /** What is performed of a condition. */
  #performed(request: string, rest: string): string | undefined {
    if (request === 'el') return this.#elses.pop() ? rest : undefined
    const text = this.#definitions.interpolate(rest)
    const { isTrue, end } = this.#definitions.judge(text)
    if (request === 'ie' && this.#elses.length < maxConditions) this.#elses.push(!isTrue)
    return isTrue ? text.slice(end) : undefined
  }
}

const bracesOf = (line: string): number =>
  (line.match(/\\{/g)?.length ?? 0) - (line.match(/\\}/g)?.length ?? 0)
