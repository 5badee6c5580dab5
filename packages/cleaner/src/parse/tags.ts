import { owned } from './hast-properties.ts'

/** A tag name, and the {@link kind}s of element it names. */
export interface Tag {
  readonly name: string
  readonly kinds: number
}

/** Kinds of elements, as bits. */
export const kind = {
  /** Has no content and no end tag. */
  void: 1,
  special: 2,
  formatting: 4,
  heading: 8,
  /** Its end tag is implied by other tags. */
  impliedEnd: 16,
  /** Its start tag closes an open `p`. */
  closesParagraph: 32,
  /** Its end tag closes everything inside it. */
  block: 64,
  /** Ends the scope in which an end tag finds its element. */
  scope: 128,
  listScope: 256,
  buttonScope: 512,
  rawText: 1024,
  /** Raw text with character references. */
  escapableRawText: 2048,
  /** Belongs into the head, wherever it is. */
  metadata: 4096,
  tablePart: 8192,
  /** Anything else inside it would be moved in front of the table. */
  tableStructure: 16_384,
  /** Formatting elements around it do not apply inside it. */
  marker: 32_768,
  /** Formatting elements stay closed at its start. */
  keepsFormattingClosed: 65_536,
  /** Its start tag ends svg and math. */
  leavesForeign: 131_072,
} as const

const sectioning =
  'address article aside blockquote center details dir div dl fieldset figcaption figure footer header hgroup listing main menu nav ol pre section summary ul'
const headings = 'h1 h2 h3 h4 h5 h6'
const tableParts = 'caption col colgroup tbody td tfoot th thead tr'

/** The sets of the standard, as parse5 has them. */
const names: Record<keyof typeof kind, string> = {
  void: 'area base basefont bgsound br col embed hr img input keygen link meta param source track wbr',
  special: `${sectioning} ${headings} ${tableParts} applet area base basefont bgsound body br button dd dt embed form frame frameset head hr html iframe img input li link marquee meta noembed noframes noscript object p param plaintext script select source style table template textarea title track wbr xmp`,
  formatting: 'a b big code em font i nobr s small strike strong tt u',
  heading: headings,
  impliedEnd: 'dd dt li optgroup option p rb rp rt rtc',
  closesParagraph: `${sectioning} ${headings} dialog form hr p search`,
  block: `${sectioning} button dialog search`,
  scope: 'applet caption html marquee object table td template th',
  listScope: 'ol ul',
  buttonScope: 'button',
  rawText: 'iframe noembed noframes script style',
  escapableRawText: 'textarea title',
  metadata: 'base basefont bgsound link meta noframes script style template title',
  tablePart: tableParts,
  tableStructure: 'colgroup table tbody tfoot thead tr',
  marker: 'caption object td th',
  keepsFormattingClosed: `${sectioning} ${headings} dd dialog dt form hr iframe li noembed p param search source textarea track`,
  leavesForeign: `${headings} b big blockquote body br center code dd div dl dt em embed font head hr i img li listing menu meta nobr ol p pre ruby s small span strike strong sub sup table tt u ul var`,
}

const htmlTags = new Map<string, Tag>()
for (const [of, list] of Object.entries(names) as [keyof typeof kind, string][])
  for (const name of list.split(' '))
    htmlTags.set(name, { name, kinds: (htmlTags.get(name)?.kinds ?? 0) | kind[of] })

/** Maximum number of remembered names, because a page may contain any number. */
const maxNames = 2000
const unknownTags = new Map<string, Tag>()
const foreign = new Map<string, Tag>()

/** The tag of an HTML element; names are in lower case. */
export const tagNamed = (name: string): Tag => htmlTags.get(name) ?? remembered(unknownTags, name)

/** The tag of an element in svg or math, where no name is of an HTML kind. */
export const foreignTagNamed = (name: string): Tag => remembered(foreign, name)

function remembered(tags: Map<string, Tag>, name: string): Tag {
  const tag = tags.get(name) ?? { name: owned(name), kinds: 0 }
  if (tags.size < maxNames) tags.set(tag.name, tag)
  return tag
}
