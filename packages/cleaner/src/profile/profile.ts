/** Characteristics of a documentation generator. */
export interface Profile {
  name: string
  /** Prefixes of `<meta name="generator">`, in lower case. */
  generators?: readonly string[]
  /** Names that all occur on the pages of this generator: `#id`, `.class`. */
  marks?: readonly string[]
  /** Rules for the content, best first; the syntax is that of noise rules. */
  content?: readonly string[]
  /** Rules for the title, if the generator writes no `h1`. */
  title?: readonly string[]
  /** Additional noise rules, separated by commas. */
  noise?: string
}
