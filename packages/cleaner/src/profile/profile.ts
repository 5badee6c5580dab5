/** What a generator of documentation has that others have not. */
export interface Profile {
  name: string
  /** Begins of `<meta name="generator">`, in lower case. */
  generators?: readonly string[]
  /** Names that all occur on the pages of this generator: `#id`, `.class`. */
  marks?: readonly string[]
  /** Where the content is, best first; rules as for noise. */
  content?: readonly string[]
  /** What stands for the `h1`, where a generator writes none. */
  title?: readonly string[]
  /** Noise beyond what is noise everywhere. */
  noise?: readonly string[]
}
