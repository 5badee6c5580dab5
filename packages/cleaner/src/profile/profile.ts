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
  /** Rules for headings of level 2 that are not marked as such. */
  headings?: readonly string[]
  /** Rules for marks that follow a name without white space. */
  apart?: readonly string[]
  /** Additional noise rules, separated by commas. */
  noise?: string
  /** Rules for contents, which stay where they are most of the page. */
  contents?: readonly string[]
}
